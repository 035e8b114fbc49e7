import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileAccess, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { TableReading } from "../../../extension/src/core/transcript/table/tableReading";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { brief, briefMessage, codes, memorySource, read } from "./support";

type Files = Readonly<Record<string, string | Error>>;

function tree(files: Files): FileAccess {
  const gone = () => Object.assign(new Error("ENOENT"), { code: "ENOENT" });
  return {
    stat: async (path) =>
      files[path] === undefined ? { kind: "missing" } : { kind: "file", bytes: 1, mtimeMs: 0, realPath: path },
    open: async (path) => {
      const content = files[path] ?? gone();
      if (content instanceof Error) throw content;
      return memorySource(content, path);
    },
    // In no order, as file systems give them.
    list: async (folder) =>
      Object.keys(files)
        .filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/"))
        .map((path) => path.slice(folder.length + 1))
        .reverse(),
  };
}

async function open(files: Files, path: string) {
  const ports = { utf8: nodeUtf8, files: tree(files) };
  const source = await ports.files.open(path);
  return { index: await collect(readTranscript(source, ports, {}, NEVER_CANCELLED)), source, ports };
}

const event = (id: number, rest: object): string =>
  JSON.stringify({ id, timestamp: "2026-01-20T20:29:13.519638", ...rest }, null, 2);
const response = { model_response: { id: "chatcmpl-abcdefgh1", model: "m", usage: { prompt_tokens: 90 } } };
const OLD: Files = {
  "/d/sessions/s-1/events/0.json": event(0, { source: "user", action: "message", args: { content: "hello" } }),
  "/d/sessions/s-1/events/1.json": event(1, {
    source: "agent",
    action: "run",
    args: { command: "ls" },
    tool_call_metadata: { ...response, function_name: "bash", tool_call_id: "c1" },
  }),
  "/d/sessions/s-1/events/2.json": event(2, {
    source: "agent",
    observation: "run",
    content: "潮位",
    cause: 1,
    tool_call_metadata: { ...response, function_name: "bash", tool_call_id: "c1" },
  }),
  // By name this comes before 2.
  "/d/sessions/s-1/events/10.json": event(10, { source: "agent", action: "message", args: { content: "done" } }),
  "/d/sessions/s-1/metadata.json": "{}",
  "/d/sessions/s-2/events/0.json": event(0, { source: "user", action: "message", args: { content: "other" } }),
};

describe("OpenHands conversations in folders", () => {
  it.each(["0.json", "2.json", "10.json"])("%s opens the conversation, its events by number", async (name) => {
    const { index, source, ports } = await open(OLD, `/d/sessions/s-1/events/${name}`);
    expect(index.header).toMatchObject({ format: "openhands" });
    expect(index.threads).toMatchObject([{ id: "s-1" }]);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 5],
      [1, "assistant", 1, 0],
      [2, "tool", 1, 2],
      [3, "assistant", 1, 4],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "bash", "c1", "inline", "paired", 2]]);
    expect(index.calls[0]?.usage).toMatchObject({ input: 90 });
    expect(index.problems).toEqual([]);
    const ref = index.results[0]?.body;
    if (ref === undefined) throw new Error("no body");
    expect(await readBody(source, ref, ports)).toMatchObject({ ok: true, value: { text: "潮位" } });
  });

  it("a broken event is said and hides no other; a foreign file in such a folder is read as what it is", async () => {
    const denied = Object.assign(new Error("EACCES"), { code: "EACCES" });
    const broken = { ...OLD, "/d/sessions/s-1/events/0.json": denied, "/d/sessions/s-1/events/10.json": '{"id": 1' };
    const { index } = await open(broken, "/d/sessions/s-1/events/1.json");
    expect(index.messages).toHaveLength(2);
    expect(index.problems).toMatchObject([
      { code: "bad-part", message: expect.stringContaining("2 of the session's") },
    ]);
    const chat = JSON.stringify({ messages: [{ role: "user", content: "x" }] });
    const foreign = await open({ "/d/events/1.json": chat }, "/d/events/1.json");
    expect(foreign.index.header?.format).toBe("openai-chat");
  });

  it("its index is not kept for one of its files, because the others change it too", async () => {
    const ports = { utf8: nodeUtf8, files: tree(OLD) };
    const reading = new TableReading(ports, {});
    const steps = reading.advance(await ports.files.open("/d/sessions/s-1/events/2.json"), NEVER_CANCELLED);
    for (let step = await steps.next(); step.done !== true; ) step = await steps.next();
    expect(reading.table.toIndex().messages).toHaveLength(4);
    expect([reading.alone, reading.goesOn]).toEqual([false, false]);
  });

  it.skipIf(!hasCorpus)(
    "newer ones: an event or the state opens both, with the usage that the state keeps",
    async () => {
      const lines = readFileSync(corpusPath("openhands/v1-goal-events.jsonl"), "utf8").trim().split("\n");
      const state = readFileSync(corpusPath("openhands/v1-base_state.json"), "utf8");
      const nameOf = (i: number) => `/d/c-1/events/event-${String(i).padStart(5, "0")}-0a1b-${i}.json`;
      const files = {
        "/d/c-1/base_state.json": state,
        ...Object.fromEntries(lines.map((line, i) => [nameOf(i), line])),
      };
      const plain = await read(lines.join("\n"));
      for (const path of [nameOf(0), nameOf(lines.length - 1), "/d/c-1/base_state.json"]) {
        const { index } = await open(files, path);
        expect(index.header?.sessionId).toBe(JSON.parse(state).id);
        expect(index.messages.map(briefMessage)).toEqual(plain.messages.map(briefMessage));
        expect(index.results.map(brief)).toEqual(plain.results.map(brief));
        expect(index.calls.map(({ usage }) => usage)).toEqual(plain.calls.map(({ usage }) => usage));
        expect(codes(index)).not.toContain("part-of-store");
      }
      const alone = await open({ "/d/c-1/base_state.json": state }, "/d/c-1/base_state.json");
      expect(codes(alone.index)).toEqual(["part-of-store"]);
    },
  );
});
