import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileAccess, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeFiles } from "../../../extension/src/node/files";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { LONG } from "./samples";
import { brief, briefMessage, codes, memorySource } from "./support";

const SESSION = "/d/storage/session/proj/ses_1.json";

/** A tree of files by path. An Error stands for a file that cannot be read. */
function tree(files: Readonly<Record<string, string | Error>>): FileAccess {
  return {
    stat: async () => ({ kind: "missing" }),
    open: async (path) => {
      const content = files[path];
      if (content instanceof Error) throw content;
      if (content === undefined) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      return memorySource(content, path);
    },
    list: async (folder) =>
      Object.keys(files).flatMap((path) => {
        const rest = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "/";
        return rest.includes("/") ? [] : [rest];
      }),
  };
}

const message = (id: string, role: string, created: number) =>
  JSON.stringify({ id, sessionID: "ses_1", role, time: { created } }, null, 2);
const part = (rest: object) => JSON.stringify({ id: "prt_1", sessionID: "ses_1", ...rest }, null, 2);
const STORE = {
  [SESSION]: JSON.stringify({
    id: "ses_1",
    projectID: "proj",
    directory: "/w",
    title: "Fix it",
    time: { created: 1_773_867_525_000 },
  }),
  "/d/storage/message/ses_1/msg_a.json": message("msg_a", "assistant", 20),
  "/d/storage/message/ses_1/msg_b.json": message("msg_b", "user", 10),
  "/d/storage/part/msg_b/prt_1.json": part({ type: "text", text: LONG }),
  "/d/storage/part/msg_a/prt_2.json": part({
    type: "tool",
    callID: "c1",
    tool: "bash",
    state: { status: "completed", input: {}, output: LONG },
  }),
  "/d/storage/part/msg_a/prt_1.json": part({ type: "text", text: "Running." }),
  "/d/storage/message/ses_2/msg_x.json": message("msg_x", "user", 1),
};

async function open(files: Readonly<Record<string, string | Error>>, path = SESSION) {
  const ports = { utf8: nodeUtf8, files: tree(files) };
  const source = await ports.files.open(path);
  const index = await collect(readTranscript(source, ports, {}, NEVER_CANCELLED));
  return { index, source, ports };
}

describe("opencode's storage folder", () => {
  it("a session's file opens the session, with its messages in time and their parts in order", async () => {
    const { index, source, ports } = await open(STORE);
    expect(index.header).toMatchObject({ format: "opencode-export", sessionId: "ses_1" });
    expect(index.threads).toMatchObject([{ id: "ses_1", title: "Fix it", startedAt: "2026-03-18T20:58:45.000Z" }]);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, [...LONG].length],
      [1, "assistant", 1, 8],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "bash", "c1", "inline", "paired", [...LONG].length]]);
    expect(codes(index)).toEqual([]);
    const ref = index.results[0]?.body;
    if (ref === undefined) throw new Error("no body");
    expect(await readBody(source, ref, ports)).toEqual({ ok: true, value: { text: LONG, images: 0 } });
  });

  it("what is added later moves nothing that was read before", async () => {
    const { index } = await open(STORE);
    const later = { ...STORE, "/d/storage/message/ses_1/msg_c.json": message("msg_c", "user", 30) };
    const { source, ports } = await open(later);
    const ref = index.results[0]?.body;
    if (ref === undefined) throw new Error("no body");
    expect(await readBody(source, ref, ports)).toMatchObject({ ok: true, value: { text: LONG } });
  });

  it("files that are broken or cannot be read are left out and counted", async () => {
    const { index } = await open({
      ...STORE,
      "/d/storage/part/msg_a/prt_2.json": '{"type": "tool", "sta',
      "/d/storage/part/msg_a/prt_3.json": Object.assign(new Error("EACCES"), { code: "EACCES" }),
    });
    expect(index.messages).toHaveLength(2);
    expect(index.problems).toMatchObject([{ code: "bad-part", severity: "error" }]);
    expect(index.problems[0]?.message).toContain("2 of the session's files");
    expect(index.problems[0]?.message).toContain("prt_2.json");
  });

  it("an id that is no name never leaves the store", async () => {
    const evil = JSON.stringify({ id: "../../../etc", sessionID: "ses_1", role: "user", time: { created: 5 } });
    const { index } = await open({
      ...STORE,
      "/d/storage/message/ses_1/msg_e.json": evil,
      "/d/storage/part/../../../etc/prt_1.json": part({ type: "text", text: "secret" }),
    });
    expect(index.messages.map((entry) => entry.size.utf16)).toEqual([0, LONG.length, 8]);
    expect(index.problems).toMatchObject([{ code: "bad-part", message: expect.stringContaining("msg_e.json") }]);
  });

  it("a session without messages, and any file elsewhere, is what it is", async () => {
    const alone = await open({ [SESSION]: STORE[SESSION] ?? "" });
    expect(alone.index.header?.format).toBe("opencode-storage");
    expect(codes(alone.index)).toEqual(["part-of-store"]);
    const elsewhere = await open({ ...STORE, "/d/ses_1.json": STORE[SESSION] ?? "" }, "/d/ses_1.json");
    expect(elsewhere.index.header?.format).toBe("opencode-storage");
  });

  it("Windows paths work as well", async () => {
    const windows = Object.fromEntries(
      Object.entries(STORE).map(([path, content]) => [path.replaceAll("/", "\\"), content]),
    );
    const files: FileAccess = {
      ...tree(windows),
      list: async (folder) =>
        Object.keys(windows).flatMap((path) => (path.startsWith(`${folder}\\`) ? [path.slice(folder.length + 1)] : [])),
    };
    const ports = { utf8: nodeUtf8, files };
    const source = await files.open(SESSION.replaceAll("/", "\\"));
    const index = await collect(readTranscript(source, ports, {}, NEVER_CANCELLED));
    expect(index.messages).toHaveLength(2);
  });

  it.skipIf(!hasCorpus)("the corpus: counts agree with a plain look at the files", async () => {
    const path = corpusPath("opencode/storage/session/proj_present/session_add_tests.json");
    const ports = { utf8: nodeUtf8, files: nodeFiles };
    const index = await collect(readTranscript(await nodeFiles.open(path), ports, {}, NEVER_CANCELLED));
    const stored = JSON.parse(
      readFileSync(corpusPath("opencode/storage/part/msg_assistant_01/part_tool_01.json"), "utf8"),
    );
    expect(index.messages.map((entry) => entry.role)).toEqual(["user", "assistant"]);
    expect(index.results.map((result) => [result.tool, result.size.utf16])).toEqual([
      [stored.tool, stored.state.output.length],
    ]);
    expect(index.calls.map((call) => call.usage)).toEqual([{ input: 150, cacheRead: 50, cacheWrite: 25, output: 85 }]);
  });
});
