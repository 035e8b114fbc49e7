import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type FileAccess, NEVER_CANCELLED } from "../../extension/src/core/ports";
import { collect } from "../../extension/src/core/transcript/collect";
import { readTranscript } from "../../extension/src/core/transcript/read";
import { nodeFiles } from "../../extension/src/node/files";
import { nodeUtf8 } from "../../extension/src/node/utf8";

const root = realpathSync(mkdtempSync(join(tmpdir(), "cbi-stores-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const secret = join(root, "secret");
const storage = join(root, "w/storage");
const session = join(storage, "session/proj/ses_1.json");
const events = join(root, "w/conversation/events");

function put(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

beforeEach(() => {
  rmSync(join(root, "w"), { recursive: true, force: true });
  rmSync(secret, { recursive: true, force: true });
  put(session, { id: "ses_1", title: "t", time: { created: 1 } });
  put(join(storage, "message/ses_1/msg_1.json"), { id: "msg_1", role: "user", time: { created: 1 } });
  put(join(storage, "part/msg_1/prt_1.json"), { id: "prt_1", type: "text", text: "plain words" });
  put(join(secret, "prt_2.json"), { id: "prt_2", type: "text", text: "SECRET" });
  put(join(secret, "2.json"), { id: 2, source: "user", action: "message", args: { content: "SECRET" } });
  put(join(secret, "base_state.json"), { title: "SECRET" });
  put(join(events, "1.json"), { id: 1, source: "user", action: "message", args: { content: "plain words" } });
});

/** Reads a transcript, and what was opened for it. */
async function read(path: string) {
  const opened: string[] = [];
  const texts: string[] = [];
  const files: FileAccess = {
    ...nodeFiles,
    open: async (asked, only) => {
      const source = await nodeFiles.open(asked, only);
      opened.push(asked);
      return {
        ...source,
        read: async (start, end) => {
          const bytes = await source.read(start, end);
          texts.push(nodeUtf8.decode(bytes).text);
          return bytes;
        },
      };
    },
  };
  const ports = { utf8: nodeUtf8, files };
  const index = await collect(readTranscript(await files.open(path), ports, {}, NEVER_CANCELLED));
  return {
    opened,
    texts: texts.join("\n"),
    codes: index.problems.map(({ code }) => code),
    count: index.messages.length,
  };
}

/** One transcript in many files: whoever made the folder may have made some of them links. */
describe.skipIf(process.platform === "win32")("a session that its agent keeps in many files", () => {
  it("is read from its own files", async () => {
    const opencode = await read(session);
    expect(opencode.texts).toContain("plain words");
    expect(opencode.count).toBe(1);
    const openhands = await read(join(events, "1.json"));
    expect(openhands.texts).toContain("plain words");
  });

  it.each([
    ["a part", () => symlinkSync(join(secret, "prt_2.json"), join(storage, "part/msg_1/prt_2.json"))],
    [
      "the folder of a message's parts",
      () => {
        rmSync(join(storage, "part/msg_1"), { recursive: true });
        symlinkSync(secret, join(storage, "part/msg_1"));
      },
    ],
    [
      "the folder of all parts",
      () => {
        renameSync(join(storage, "part"), join(root, "w/away"));
        mkdirSync(join(secret, "msg_1"));
        renameSync(join(secret, "prt_2.json"), join(secret, "msg_1/prt_2.json"));
        symlinkSync(secret, join(storage, "part"));
      },
    ],
  ])("opencode: %s that is a link leads nowhere, and it is said", async (_, link) => {
    link();
    const { texts, codes, opened } = await read(session);
    expect(texts).not.toContain("SECRET");
    expect(opened.every((path) => path.startsWith(storage))).toBe(true);
    expect(codes).toContain("bad-part");
  });

  it.each([
    ["an event", () => symlinkSync(join(secret, "2.json"), join(events, "2.json"))],
    ["the state", () => symlinkSync(join(secret, "base_state.json"), join(dirname(events), "base_state.json"))],
  ])("OpenHands: %s that is a link leads nowhere, and it is said", async (_, link) => {
    link();
    const { texts, codes } = await read(join(events, "1.json"));
    expect(texts).toContain("plain words");
    expect(texts).not.toContain("SECRET");
    expect(codes).toContain("bad-part");
  });

  it("may lie in a store that is itself reached by a link", async () => {
    symlinkSync(storage, join(root, "w/linked"));
    renameSync(join(root, "w/linked"), join(root, "w/x"));
    mkdirSync(join(root, "w/moved"));
    symlinkSync(storage, join(root, "w/moved/storage"));
    const { texts, codes } = await read(join(root, "w/moved/storage/session/proj/ses_1.json"));
    expect(texts).toContain("plain words");
    expect(codes).not.toContain("bad-part");
  });
});
