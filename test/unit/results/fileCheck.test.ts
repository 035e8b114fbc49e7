import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentId } from "../../../extension/src/core/model/transcript";
import { type FileAccess, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { persistText } from "../../../extension/src/core/results/block";
import {
  checkFile,
  type FileReport,
  type LocateContext,
  unseenFile,
} from "../../../extension/src/core/results/fileCheck";
import { recognise } from "../../../extension/src/core/results/recognise";
import { nodeFiles } from "../../../extension/src/node/files";
import { nodeUtf8 } from "../../../extension/src/node/utf8";

const NOW = Date.UTC(2026, 8, 10, 12);
const HOUR = 3_600_000;
let root = "";
/** Every path that was looked at or opened. */
let touched: string[] = [];

const files: FileAccess = {
  stat: (path) => {
    touched.push(path);
    return nodeFiles.stat(path);
  },
  open: (path) => {
    touched.push(`open ${path}`);
    return nodeFiles.open(path);
  },
  list: (path) => {
    touched.push(`list ${path}`);
    return nodeFiles.list(path);
  },
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cbi-check-")));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string | Buffer, ageMs = HOUR): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  utimesSync(full, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  return full;
}

function context(changes: Partial<LocateContext> = {}): LocateContext {
  return {
    agent: "hermes",
    transcriptPath: join(root, "home/.hermes/sessions/session_1.json"),
    sessionId: undefined,
    rebaseRoot: undefined,
    homeFolder: join(root, "home"),
    tempFolders: [join(root, "tmp")],
    hermesHomes: [join(root, "home/.hermes")],
    claudeProjects: [join(root, "home/.claude/projects")],
    ...changes,
  };
}

async function check(
  notice: string,
  where: LocateContext = context(),
  callId = "call_1",
  access: FileAccess = files,
): Promise<FileReport> {
  touched = [];
  const agent: AgentId = where.agent;
  const { persisted } = recognise(notice, { agent, tool: undefined });
  expect(persisted, notice.slice(0, 80)).toBeDefined();
  const range = persisted?.preview;
  const preview = range && notice.slice(range.start, range.end);
  const ports = { files: access, utf8: nodeUtf8, clock: { now: () => NOW } };
  return checkFile({ persisted, callId }, preview, where, ports, NEVER_CANCELLED);
}

const text = Array.from({ length: 9000 }, (_, i) => `row ${i} 😀\n`).join("");
const block = (path: string, full = text): string => persistText(full, path).block;
const plain = (path: string, full = text): string => persistText(full, path, "plain").block;

describe("Hermes files", () => {
  it("found where written: size, age, preview", async () => {
    const path = put("home/.hermes/cache/spillover/ok.txt", text, 3 * HOUR);
    const report = await check(block(path));
    expect(report).toMatchObject({
      status: "ok",
      resolvedPath: path,
      realChars: Array.from(text).length,
      realBytes: Buffer.byteLength(text),
      ageMs: 3 * HOUR,
      inKnownFolder: true,
    });
    expect(report.notes.join(" ")).toContain("3 hours ago. Hermes deletes such files after 24 hours.");
    expect((await check(block("~/.hermes/cache/spillover/ok.txt"))).status).toBe("ok");
    expect((await check(block(`${root}/home/.hermes/cache/tool_responses/../spillover/ok.txt`))).status).toBe("ok");
  });

  it("past its expiry but still there", async () => {
    const path = put("home/.hermes/cache/spillover/old.txt", text, 80 * HOUR);
    const report = await check(block(path));
    expect(report.status).toBe("ok");
    expect(report.notes.join(" ")).toContain("past the 24 hours");
  });

  it("re-based from the home in the path to the home of the transcript", async () => {
    const path = put("home/.hermes/cache/spillover/moved.txt", text);
    for (const written of [
      "/home/user/.hermes/cache/spillover/moved.txt",
      "/srv/agent-home/cache/spillover/moved.txt",
      "C:\\Users\\u\\AppData\\Local\\hermes\\cache\\spillover\\moved.txt",
    ]) {
      const report = await check(block(written));
      expect(report).toMatchObject({ status: "ok", resolvedPath: path });
      expect(touched).not.toContain(written);
    }
  });

  it("another size, another beginning", async () => {
    const longer = put("home/.hermes/cache/spillover/longer.txt", `${text}more`);
    expect((await check(block(longer))).status).toBe("size-differs");
    const other = put("home/.hermes/cache/spillover/other.txt", text.replace("row 3", "row 4"));
    expect((await check(block(other))).status).toBe("preview-differs");
  });

  it("tolerates v0.8.0's line feed in its own blocks only", async () => {
    const path = put("home/.hermes/cache/spillover/v080.txt", `${text}\n`);
    expect(await check(plain(path))).toMatchObject({ status: "ok", realChars: Array.from(text).length + 1 });
    expect((await check(block(path))).status).toBe("size-differs");
  });

  it("compares the unwrapped text of an MCP envelope", async () => {
    const envelope = JSON.stringify({ result: text, _meta: { page: 1 } });
    const { block: notice, fileText } = persistText(envelope, join(root, "home/.hermes/cache/spillover/mcp.txt"));
    put("home/.hermes/cache/spillover/mcp.txt", fileText);
    expect((await check(notice)).status).toBe("ok");
  });

  it("half surrogate pairs are question marks in the file", async () => {
    const broken = `\ud83d${text}`;
    const path = put("home/.hermes/cache/spillover/half.txt", `?${text}`);
    expect((await check(block(path, broken))).status).toBe("ok");
  });

  it("large files: by bytes and beginning only", async () => {
    const huge = text.repeat(80);
    const path = put("home/.hermes/cache/spillover/huge.txt", huge);
    const report = await check(block(path, huge));
    expect(report).toMatchObject({ status: "ok", realChars: undefined });
    expect(report.notes.join(" ")).toContain("too many to count");
    put("home/.hermes/cache/spillover/huge.txt", huge.repeat(6));
    expect((await check(block(path, huge))).status).toBe("size-differs");
  });

  it("broken UTF-8 is said, not fatal", async () => {
    const path = put("home/.hermes/cache/spillover/bad.txt", Buffer.concat([Buffer.from(text), Buffer.from([0xff])]));
    const report = await check(block(path));
    expect(report.status).toBe("size-differs");
    expect(report.notes.join(" ")).toContain("not valid UTF-8");
  });

  it("gone: expired is normal, another machine, the sandbox", async () => {
    const expired = await check(block(join(root, "home/.hermes/cache/spillover/gone.txt")));
    expect(expired).toMatchObject({ status: "expired", canRebase: true });
    expect(expired.notes[0]).toContain("normal");
    const elsewhere = context({ transcriptPath: join(root, "work/export.jsonl") });
    const other = await check(block("/home/user/.hermes/cache/spillover/gone.txt"), elsewhere);
    expect(other).toMatchObject({ status: "other-machine", canRebase: true });
    expect(touched).toEqual([]);
    const windows = await check(block("C:\\h\\cache\\spillover\\gone.txt"), elsewhere);
    expect(windows.notes[0]).toContain("another kind of system");
    const sandbox = await check(plain("/var/folders/xx/T/hermes-results/gone.txt"), elsewhere);
    expect(sandbox.status).toBe("sandbox");
    expect(touched).toEqual([]);
    const local = await check(plain(join(root, "tmp/hermes-results/gone.txt")), elsewhere);
    expect(local.status).toBe("sandbox");
  });

  it("/tmp/hermes-results of this machine, and one that came along with a copied home", async () => {
    const path = put("tmp/hermes-results/functions.terminal:22.txt", `${text}\n`);
    expect(await check(plain(path))).toMatchObject({ status: "ok", resolvedPath: path });
    const copied = put("home/.hermes/tmp/hermes-results/c.txt", text);
    expect(await check(plain("/tmp/hermes-results/c.txt"))).toMatchObject({ status: "ok", resolvedPath: copied });
  });

  it("a chosen folder stands for the home, the spill folder, or the other machine's root", async () => {
    const path = put("backup/home/user/.hermes/cache/spillover/r.txt", text);
    const written = "/home/user/.hermes/cache/spillover/r.txt";
    const elsewhere = join(root, "work/export.jsonl");
    for (const chosen of ["backup/home/user/.hermes", "backup/home/user/.hermes/cache/spillover", "backup"]) {
      const where = context({ transcriptPath: elsewhere, rebaseRoot: join(root, chosen) });
      expect(await check(block(written), where), chosen).toMatchObject({ status: "ok", resolvedPath: path });
    }
    // The transcript chooses the names, so even there only spill folders are looked into.
    put("backup/.netrc", "secret");
    const where = context({ transcriptPath: elsewhere, rebaseRoot: join(root, "backup") });
    for (const hostile of ["/x/cache/spillover/../../.netrc", "/.netrc", "/x/cache/spillover/.netrc"]) {
      const report = await check(block(hostile), where);
      expect(report.resolvedPath).toBeUndefined();
      expect(touched.some((name) => name.endsWith("backup/.netrc"))).toBe(false);
    }
  });
});

describe("paths outside the known folders", () => {
  it("are not even looked at", async () => {
    for (const written of [
      "/etc/passwd",
      `${root}/home/.hermes/.env`,
      `${root}/home/.hermes/cache/spillover/../../.env`,
      `${root}/home/.hermes/cache/spillover`,
      `${root}/home/.hermes/cache/spillover-evil/x`,
      "~/.ssh/id_rsa",
      "relative/x.txt",
      "file:///etc/passwd",
    ]) {
      const report = await check(block(written));
      expect(report, written).toMatchObject({ status: "outside", inKnownFolder: false, resolvedPath: undefined });
      expect(touched).toEqual([]);
      expect(report.notes).toHaveLength(1);
    }
  });

  it("links that lead out are refused after resolving", async () => {
    const secret = put("home/secret.txt", text);
    mkdirSync(join(root, "home/.hermes/cache/spillover"), { recursive: true });
    const link = join(root, "home/.hermes/cache/spillover/link.txt");
    symlinkSync(secret, link);
    expect(await check(block(link))).toMatchObject({ status: "outside", inKnownFolder: false, realChars: undefined });
    expect(touched.some((name) => name.startsWith("open "))).toBe(false);
  });

  it("a spill folder that is itself a link out is refused", async () => {
    put("evil-target/keys.txt", text);
    mkdirSync(join(root, "evil/.hermes/cache"), { recursive: true });
    symlinkSync(join(root, "evil-target"), join(root, "evil/.hermes/cache/spillover"));
    const where = context({ transcriptPath: join(root, "evil/.hermes/sessions/s.json") });
    const report = await check(block(join(root, "evil/.hermes/cache/spillover/keys.txt")), where);
    expect(report.status).toBe("outside");
    expect(touched.some((name) => name.startsWith("open "))).toBe(false);
  });

  it("a link inside the spill folder is fine", async () => {
    const path = put("home/.hermes/cache/spillover/real.txt", text);
    const link = join(root, "home/.hermes/cache/spillover/alias.txt");
    symlinkSync(path, link);
    expect(await check(block(link))).toMatchObject({ status: "ok", resolvedPath: path });
  });

  it("a folder in place of the file", async () => {
    const path = join(root, "home/.hermes/cache/spillover/dir.txt");
    mkdirSync(path, { recursive: true });
    expect(await check(block(path))).toMatchObject({ status: "unreadable", inKnownFolder: true });
  });
});

describe("Claude Code files", () => {
  const notice = (path: string, full: string): string =>
    `<persisted-output>\nOutput too large (${Math.round((full.length / 1024) * 10) / 10}KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n${full.slice(0, full.lastIndexOf("\n", 2000))}\n...\n</persisted-output>`;
  const session = (changes: Partial<LocateContext> = {}): LocateContext =>
    context({ agent: "claude-code", transcriptPath: join(root, "proj/aaa.jsonl"), ...changes });

  it("beside the session, by the name in the notice or by the call id", async () => {
    const path = put("proj/aaa/tool-results/toolu_1.txt", text);
    for (const written of [
      "/Users/x/.claude/projects/-p/aaa/tool-results/toolu_1.txt",
      "/Users/user/.REDACTED.txt",
      "D:\\p\\tool-results\\toolu_1.txt",
    ]) {
      const report = await check(notice(written, text), session(), "toolu_1");
      expect(report, written).toMatchObject({ status: "ok", resolvedPath: path, realChars: text.length });
    }
  });

  it("with any extension", async () => {
    const path = put("proj/aaa/tool-results/toolu_md.md", text);
    expect(await check(notice("/x/y.txt", text), session(), "toolu_md")).toMatchObject({
      status: "ok",
      resolvedPath: path,
    });
  });

  it("for a subagent, in the session's folder", async () => {
    const path = put("proj/aaa/tool-results/toolu_sub.txt", text);
    const inside = session({ transcriptPath: join(root, "proj/aaa/subagents/agent-1.jsonl") });
    expect(await check(notice("/x/tool-results/toolu_sub.txt", text), inside, "toolu_sub")).toMatchObject({
      resolvedPath: path,
    });
    const old = session({ transcriptPath: join(root, "proj/agent-1.jsonl"), sessionId: "aaa" });
    expect(await check(notice("/x/tool-results/toolu_sub.txt", text), old, "toolu_sub")).toMatchObject({
      resolvedPath: path,
    });
    const hostile = session({ transcriptPath: join(root, "proj/agent-1.jsonl"), sessionId: "../home" });
    expect(
      (await check(notice("/x/tool-results/toolu_sub.txt", text), hostile, "toolu_sub")).resolvedPath,
    ).toBeUndefined();
  });

  it("where written, in this machine's projects folder", async () => {
    const path = put("home/.claude/projects/-p/bbb/tool-results/t.txt", text);
    expect(await check(notice(path, text), session())).toMatchObject({ status: "ok", resolvedPath: path });
    const outside = put("home/.claude/projects/-p/notes/t2.txt", text);
    expect(await check(notice(outside, text), session())).toMatchObject({ status: "outside" });
  });

  it("compares rounded sizes within their rounding", async () => {
    put("proj/aaa/tool-results/toolu_r.txt", `${text}${"x".repeat(200)}`);
    expect((await check(notice("/x/tool-results/toolu_r.txt", text), session(), "toolu_r")).status).toBe(
      "size-differs",
    );
    put("proj/aaa/tool-results/toolu_r.txt", `${text}x`);
    const agreed = await check(notice("/x/tool-results/toolu_r.txt", `${text}`), session(), "toolu_r");
    expect(agreed.status).toBe("ok");
    // A rounded size never is "as stated".
    expect(agreed.notes.join(" ")).toMatch(/holds [\d,]+ characters, the notice states about [\d,]+\./);
  });

  it("an MCP result saved as a list of parts", async () => {
    put("proj/aaa/tool-results/mcp-a-b-1.txt", JSON.stringify([{ type: "text", text }]));
    const written = `Error: result (${text.length.toLocaleString("en")} characters) exceeds maximum allowed tokens. Output has been saved to /u/tool-results/mcp-a-b-1.txt.\nFormat: JSON`;
    expect((await check(written, session())).status).toBe("ok");
  });

  it("missing", async () => {
    const report = await check(notice("/Users/user/tool-results/toolu_none.txt", text), session(), "toolu_none");
    expect(report).toMatchObject({ status: "missing", canRebase: true });
    const redacted = await check(notice("/Users/user/.REDACTED.txt", text), session(), "toolu_none");
    expect(redacted).toMatchObject({ status: "outside", inKnownFolder: false, canRebase: true });
    expect(redacted.notes).toHaveLength(2);
    expect(touched.every((name) => name.startsWith(join(root, "proj")) || name.startsWith(`list ${root}`))).toBe(true);
  });
});

describe("where nothing may be looked at", () => {
  it("only the place is told where the file would be looked for", () => {
    const elsewhere = (notice: string, transcriptPath: string): FileReport => {
      const { persisted } = recognise(notice, { agent: "hermes", tool: undefined });
      const where = context({ transcriptPath, tempFolders: [], hermesHomes: [], claudeProjects: [] });
      return unseenFile({ persisted, callId: "call_1" }, where);
    };
    const rebased = elsewhere(block("/home/user/.hermes/cache/spillover/a.txt"), "/w/.hermes/sessions/s.json");
    expect(rebased).toMatchObject({
      status: "not-checked",
      unseen: "/w/.hermes/cache/spillover/a.txt",
      resolvedPath: undefined,
      inKnownFolder: false,
    });
    expect(rebased.notes.join()).toContain("not trusted");
    expect(elsewhere(block("/etc/passwd"), "/w/s.json").unseen).toBe("/etc/passwd");
    expect(unseenFile({ persisted: undefined, callId: undefined }, context()).status).toBe("none");
  });
});

describe("notices without a path", () => {
  it("have no file, and a handle says where it leads", async () => {
    const id = "r-0123abcd-0000-4000-8000-00000000000f";
    const report = await check(
      `x\n\n[Large tool result: showing the first 1 characters. The remaining redacted result is temporarily saved. If a missing detail is needed, call tool_result_read with id "${id}" and offset 1. End.]`,
    );
    expect(report.status).toBe("none");
    expect(report.notes[0]).toContain("one hour");
  });

  it("an inline result has nothing to check, and a cancelled check says so", async () => {
    const ports = { files, utf8: nodeUtf8, clock: { now: () => NOW } };
    const inline = { persisted: undefined, callId: undefined };
    expect((await checkFile(inline, undefined, context(), ports, NEVER_CANCELLED)).status).toBe("none");
    const path = put("home/.hermes/cache/spillover/cancel.txt", text);
    const { persisted } = recognise(block(path), { agent: "hermes", tool: undefined });
    const cancelled = { isCancellationRequested: true };
    expect((await checkFile({ persisted, callId: undefined }, undefined, context(), ports, cancelled)).status).toBe(
      "not-checked",
    );
  });
});
