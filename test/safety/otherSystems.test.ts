import { describe, expect, it } from "vitest";
import { withoutLinks } from "../../extension/src/client/plainMessage";
import type { AgentId } from "../../extension/src/core/model/transcript";
import { type FileAccess, NEVER_CANCELLED } from "../../extension/src/core/ports";
import { checkFile, type FileReport, type LocateContext } from "../../extension/src/core/results/fileCheck";
import { followable, visible } from "../../extension/src/node/openRules";
import { nodeUtf8 } from "../../extension/src/node/utf8";
import { Random } from "../oracle/random";

/** What a system makes of a path, in the least careful way that any of its programs is known for. */
interface Meaning {
  readonly names: readonly string[];
  /** Leads to something else than a file in a folder. */
  readonly odd: "device" | "stream" | "network" | undefined;
}

const DEVICES = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d)(?:\.|$)/i;

/** Windows: both separators, no case, dots and spaces at a name's end are dropped, `:` begins a stream, devices are everywhere. */
function onWindows(path: string): Meaning {
  const rest = path.replace(/^\\\\\?\\/, "");
  if (/^[\\/]{2}/.test(rest)) return { names: [], odd: "network" };
  const drive = /^[A-Za-z]:[\\/]/.exec(rest);
  const names: string[] = [];
  let odd: Meaning["odd"];
  for (const name of rest.slice(drive?.[0].length ?? 0).split(/[\\/]/)) {
    const plain = name.replace(/:.*$/, "").replace(/[. ]+$/, "");
    if (name.includes(":")) odd ??= "stream";
    if (DEVICES.test(plain)) odd ??= "device";
    if (/^\.\.[. ]*$/.test(name)) names.pop();
    else if (plain !== "") names.push(plain.toLowerCase());
  }
  return { names: [drive?.[0].slice(0, 2).toLowerCase() ?? "?", ...names], odd };
}

const HOME = "C:\\Users\\dana";
const SPILL = "C:\\Users\\dana\\AppData\\Local\\hermes\\cache\\spillover";
const PROJECT = "C:\\Users\\dana\\.claude\\projects\\-p";

const FOLDERS: Readonly<Record<"hermes" | "claude-code", readonly RegExp[]>> = {
  hermes: [
    /^c:\/users\/dana\/appdata\/local\/hermes\/(cache\/(spillover|tool_responses|terminal-output|exec|web)|hook_outputs|tmp\/hermes-results)\/./,
    /^c:\/temp\/hermes-results\/./,
  ],
  "claude-code": [/^c:\/users\/dana\/\.claude\/projects\/[^/]+\/[^/]+\/tool-results\/./],
};

function context(agent: AgentId): LocateContext {
  return {
    agent,
    transcriptPath:
      agent === "hermes" ? "C:\\Users\\dana\\AppData\\Local\\hermes\\sessions\\s.json" : `${PROJECT}\\aaa.jsonl`,
    sessionId: undefined,
    rebaseRoot: undefined,
    homeFolder: HOME,
    tempFolders: ["C:\\temp"],
    hermesHomes: ["C:\\Users\\dana\\AppData\\Local\\hermes"],
    claudeProjects: ["C:\\Users\\dana\\.claude\\projects"],
  };
}

const FOLDERS_TRUSTED = new Set(
  [HOME, "C:\\temp", "C:\\Users\\dana\\AppData\\Local\\hermes", PROJECT, "C:\\Users\\dana\\.claude\\projects"].map(
    (path) => onWindows(path).names.join("/"),
  ),
);

let touched: string[] = [];
/** A disk on which everything is there, so that nothing is refused for being missing. */
const everything: FileAccess = {
  stat: async (path) => {
    touched.push(path);
    const key = onWindows(path).names.join("/");
    const kind = FOLDERS_TRUSTED.has(key) || key.endsWith("/tool-results") ? "directory" : "file";
    return { kind, bytes: 3, mtimeMs: 0, realPath: `C:\\${onWindows(path).names.slice(1).join("\\")}` };
  },
  list: async (path) => {
    touched.push(path);
    return [];
  },
  open: async (path) => {
    touched.push(path);
    return { path, bytes: 3, read: async () => new Uint8Array([97, 98, 99]) };
  },
};

async function check(written: string, agent: AgentId): Promise<FileReport> {
  touched = [];
  const persisted = {
    variant: agent === "hermes" ? "hermes-block" : "claude-block",
    path: written,
    handle: undefined,
    statedChars: undefined,
    statedUnit: "utf16",
    statedRounded: false,
    preview: undefined,
  };
  const ports = { files: everything, utf8: nodeUtf8, clock: { now: () => 0 } };
  return checkFile({ persisted, callId: "t1" } as never, undefined, context(agent), ports, NEVER_CANCELLED);
}

const STARTS = [
  `${SPILL}\\a.txt`,
  "C:\\Users\\dana\\AppData\\Local\\hermes\\.env",
  "C:\\Users\\dana\\.ssh\\id_rsa",
  "C:\\temp\\hermes-results\\t.txt",
  `${PROJECT}\\aaa\\tool-results\\t1.txt`,
  `${PROJECT}\\aaa\\notes.txt`,
  "/home/u/.hermes/cache/spillover/a.txt",
  "/home/u/.hermes/cache/spillover/..\\..\\.env",
  "/Users/u/.claude/projects/-p/aaa/tool-results/..\\..\\..\\..\\secret.txt",
  "/Users/u/tool-results/\\\\evil.example\\share\\x",
  "/tmp/hermes-results/functions.terminal:22.txt",
  "/tmp/hermes-results/nul",
  "~\\AppData\\Local\\hermes\\cache\\spillover\\a.txt",
  "~/AppData/Local/hermes/cache/spillover/a.txt",
];
type Spell = (path: string, random: Random) => string;
const SPELLS: readonly Spell[] = [
  (path) => path.replaceAll("\\", "/"),
  (path) => `\\\\?\\${path}`,
  (path) => `\\\\.\\${path}`,
  (path) => `//?/${path.replaceAll("\\", "/")}`,
  (path) => `\\\\evil.example\\share\\${path.slice(3)}`,
  (path) => `//evil.example/share/${path.slice(3)}`,
  (path) => `file:///${path.replaceAll("\\", "/")}`,
  (path) => path.replace(/^C:\\/, "C:"),
  (path) => path.replace(/^C:/, ""),
  (path) => path.replace(/^C:/, "c:"),
  (path) => path.replace(/^C:/, "D:"),
  (path) => path.toUpperCase(),
  (path, random) => path + random.pick([":secret", "::$DATA", ":a:$DATA", ".", " ", "...", ". ."]),
  (path, random) =>
    path.replace(/[^\\/]*$/, random.pick(["CON", "nul", "NUL.txt", "aux .log", "COM1", "lpt9.txt", "con:"])),
  (path) => path.replace(/[\\/](?=[^\\/]*$)/, "\\.. \\.. \\"),
  (path) => path.replace(/[\\/](?=[^\\/]*$)/, "\\..\\..\\..\\"),
  (path) => path.replace(/[\\/](?=[^\\/]*$)/, " \\"),
  (path) => path.replace(/[\\/](?=[^\\/]*$)/, ".\\"),
  (path) => path.replace(/[\\/](?=[^\\/]*$)/, "/.//"),
  (path) => `${path}\0.txt`,
  (path) => path.replace("dana", "DANA~1"),
  (path) => path.replace(HOME, "~root"),
];

describe("paths out of a transcript on Windows", () => {
  it("lead into a spill folder or are not looked at, however they are written", async () => {
    const random = new Random(77);
    let found = 0;
    for (let n = 0; n < 20_000; n++) {
      const agent = random.chance(0.5) ? "hermes" : "claude-code";
      let written = random.pick(STARTS);
      for (let more = random.int(0, 3); more > 0; more--) written = random.pick(SPELLS)(written, random);
      const report = await check(written, agent);
      for (const path of touched) {
        const { names, odd } = onWindows(path);
        const place = names.join("/");
        const known = FOLDERS[agent].some((folder) => folder.test(`${place}/`));
        const said = `${agent} ${JSON.stringify(written)} looked at ${JSON.stringify(path)}`;
        expect(odd, said).toBeUndefined();
        expect(known || FOLDERS_TRUSTED.has(place) || place.endsWith("/aaa/tool-results"), said).toBe(true);
      }
      if (report.inKnownFolder) found++;
    }
    expect(found).toBeGreaterThan(1_000);
  });
});

describe("paths out of a transcript where names are equal without case and accents' form (macOS)", () => {
  const canonical = new Map(
    [
      "/Users/jürgen",
      "/Users/jürgen/.hermes",
      "/Users/jürgen/.hermes/cache/spillover",
      "/Users/jürgen/.hermes/cache/spillover/Größe.txt",
      "/Users/jürgen/.hermes/.env",
      "/Users/jürgen/.ssh/id_rsa",
    ].map((path) => [folded(path), path]),
  );
  const links = new Map([[folded("/Users/jürgen/.hermes/cache/spillover/out.txt"), "/Users/jürgen/.ssh/id_rsa"]]);
  const insensitive: FileAccess = {
    stat: async (path) => {
      const realPath = links.get(folded(path)) ?? canonical.get(folded(path));
      if (realPath === undefined) return { kind: "missing" };
      return { kind: /\.txt$|\.env$|id_rsa$/.test(realPath) ? "file" : "directory", bytes: 3, mtimeMs: 0, realPath };
    },
    list: async () => [],
    open: async (path) => {
      touched.push(path);
      return { path, bytes: 3, read: async () => new Uint8Array([97, 98, 99]) };
    },
  };

  it.each([
    ["/Users/jürgen/.hermes/cache/spillover/Größe.txt", true],
    ["/Users/jürgen/.hermes/cache/spillover/grösse.TXT", false],
    ["/Users/jürgen/.hermes/cache/spillover/GRÖßE.txt", true],
    ["/Users/jürgen/.HERMES/cache/Spillover/Größe.txt", false],
    ["/users/JÜRGEN/.hermes/cache/spillover/Größe.txt", false],
    ["/Users/jürgen/.hermes/cache/spillover/../../.ENV", false],
    ["/Users/jürgen/.hermes/cache/spillover/OUT.txt", false],
  ])("%s", async (written, isRead) => {
    for (const spelled of [written, written.normalize("NFD")]) {
      touched = [];
      const where = {
        ...context("hermes"),
        transcriptPath: "/Users/jürgen/.hermes/sessions/s.json",
        homeFolder: "/Users/jürgen",
        tempFolders: [],
        hermesHomes: ["/Users/jürgen/.hermes"],
      };
      const persisted = { variant: "hermes-block", path: spelled, statedUnit: "utf16", statedRounded: false };
      const ports = { files: insensitive, utf8: nodeUtf8, clock: { now: () => 0 } };
      const report = await checkFile({ persisted, callId: "t1" } as never, undefined, where, ports, NEVER_CANCELLED);
      // A spelling that only this file system takes for the same is re-based on its own home, asked for, or not found.
      for (const path of touched) expect(folded(path)).toBe(folded("/Users/jürgen/.hermes/cache/spillover/Größe.txt"));
      expect(report.resolvedPath ?? "/Users/jürgen/.hermes/cache/spillover/").toContain("/.hermes/cache/spillover/");
      if (isRead && spelled === written) expect(report.inKnownFolder).toBe(true);
      if (!isRead && !/Größe/.test(written)) expect(touched).toEqual([]);
    }
  });
});

/** As such a file system compares names. */
function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

describe("a question about a path", () => {
  const win = { platform: "win32", homeFolder: HOME } as const;
  const linux = { platform: "linux", homeFolder: "/home/dana" } as const;

  it.each([
    [win, "C:\\a.txt:secret"],
    [win, "C:\\a.txt::$DATA"],
    [win, "C:\\NUL"],
    [win, "C:\\x\\con.txt"],
    [win, "C:\\x\\a.txt."],
    [win, "C:\\x\\a.txt "],
    [win, "\\\\.\\PhysicalDrive0"],
    [win, "//./pipe/x"],
    [win, "/etc/passwd"],
    [win, "C:secret.txt"],
    [linux, "C:\\x\\a.txt"],
    [linux, "file:///etc/passwd"],
    [linux, "~\\secret"],
    [linux, `/${"a/".repeat(3_000)}`],
    [linux, "x".repeat(5_000_000)],
  ] as const)("is never asked where the path names no one file: %j", (ground, path) => {
    const answer = followable(path, ground);
    expect(answer.ok).toBe(false);
    if (!answer.ok) expect(answer.error.length).toBeLessThan(2_500);
  });

  it("shows where the path leads, not what it pretends", () => {
    expect(followable("/home/dana/.hermes/cache/spillover/../../../.ssh/id_rsa", linux)).toEqual({
      ok: true,
      value: "/home/dana/.ssh/id_rsa",
    });
  });

  it("leaves no character that hides, moves or imitates another", () => {
    const random = new Random(5);
    const hiding = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2044\u2215\u29f8\uff0f\u2024\uff0e\u2800]|[^\S ]| {2}|^ | $/u;
    for (let n = 0; n < 20_000; n++) {
      const path = random.repeat(1, 12, () =>
        String.fromCodePoint(
          random.pick([
            random.int(0, 0x7f),
            random.int(0, 0x3000),
            random.int(0xd800, 0xffff),
            random.int(0xe0000, 0xe0fff),
          ]),
        ),
      );
      const shown = visible(path);
      expect(hiding.test(shown), JSON.stringify(path)).toBe(false);
      // And every other character stands where it stood.
      if (!hiding.test(path) && !/[\u2216\u29f5\u29f9\uff3c\ufe68\u2025\u2026\ufe52]/.test(path))
        expect(shown).toBe(path);
    }
    expect(visible(`/safe.txt${" ".repeat(3)}/x`)).toBe("/safe.txt\\u{20}\\u{20}\\u{20}/x");
  });
});

describe("a notification", () => {
  it("has no link, whatever stands in it", () => {
    // As VS Code finds links in messages.
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^\s)]+)(?: (["'])(.+?)(\3))?\)/gi;
    for (const hostile of [
      "/x/[Open](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D) is not there any more.",
      "[a](https://evil.example/)",
      "[a](file:///etc/passwd)",
      '[a](command:x "title")',
      "[a](command:x)[b](command:y)",
    ]) {
      expect(link.test(hostile)).toBe(true);
      link.lastIndex = 0;
      expect(link.test(withoutLinks(hostile)), hostile).toBe(false);
      link.lastIndex = 0;
    }
    expect(withoutLinks("Plain (text) [with] brackets.")).toBe("Plain (text) [with] brackets.");
  });
});
