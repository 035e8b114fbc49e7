import { describe, expect, it } from "vitest";
import type { ModelCall, Usage } from "../../../extension/src/core/model/transcript";
import { LEDGER_PLACES } from "../../../extension/src/core/model/usageLedger";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { ContextTimeline, contextOf, TIMELINE_LIMITS } from "../../../extension/src/core/transcript/timeline";
import { UsageTally } from "../../../extension/src/core/transcript/usageTally";
import { nodeFiles } from "../../../extension/src/node/files";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { events, jsonLines, memorySource } from "./support";

const place = (line: number) => ({ line, start: line * 10, end: line * 10 + 9 });
const assistant = (uuid: string, id: string, usage: object | undefined, more: object = {}) => ({
  type: "assistant",
  uuid,
  parentUuid: null,
  sessionId: "s-1",
  message: { id, model: "m-1", role: "assistant", content: [{ type: "text", text: "four" }], usage },
  ...more,
});
const tokens = (input: number, output = 1) => ({
  input_tokens: input,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 10,
  output_tokens: output,
});

async function timelineOf(content: string) {
  const timeline = new ContextTimeline();
  const all = await events(memorySource(content));
  const summary = new Summary(timeline);
  summary.add(all);
  const ledger = all.find((event) => event.kind === "ledger");
  return { timeline, summary, ledger: ledger?.kind === "ledger" ? ledger.ledger : undefined };
}

describe("the ledger of usage records", () => {
  it("counts one record per call and says why the others are not counted", async () => {
    const progress = {
      type: "progress",
      uuid: "p",
      data: { type: "agent_progress", message: assistant("x", "y", tokens(1)) },
    };
    const { ledger } = await timelineOf(
      jsonLines(
        assistant("a", "m1", tokens(5)),
        assistant("b", "m1", tokens(5, 9)),
        assistant("b", "m1", tokens(5, 9)),
        progress,
        assistant("c", "m2", undefined),
        assistant("d", "m3", undefined),
        assistant("e", "m3", tokens(7)),
      ),
    );
    expect(ledger?.counted).toMatchObject({ count: 2, places: [{ line: 1 }, { line: 7 }] });
    expect(
      ledger?.notCounted.map(({ reason, count, places }) => [reason, count, places.map((one) => one.line)]),
    ).toEqual([
      ["same-message", 1, [2]],
      ["repeated-record", 1, [3]],
      ["agent-progress", 1, [4]],
    ]);
    expect(ledger?.callsWithoutUsage).toMatchObject({ count: 1, places: [{ line: 5 }] });
  });

  it("keeps the first places only, and every count", () => {
    const tally = new UsageTally();
    for (let line = 1; line <= LEDGER_PLACES + 5; line++) tally.skip("synthetic", place(line));
    const [entry] = tally.ledger().notCounted;
    expect(entry?.count).toBe(LEDGER_PLACES + 5);
    expect(entry?.places).toHaveLength(LEDGER_PLACES);
  });

  it("is not told of a reading that was stopped", async () => {
    const cancel = { isCancellationRequested: false };
    const kinds: string[] = [];
    const source = memorySource(
      jsonLines(...Array.from({ length: 50 }, (_, n) => assistant(`u${n}`, `m${n}`, tokens(1)))),
    );
    for await (const batch of readTranscript(source, { utf8: nodeUtf8 }, {}, cancel)) {
      kinds.push(...batch.map((event) => event.kind));
      cancel.isCancellationRequested = true;
    }
    expect(kinds).toContain("call");
    expect(kinds).not.toContain("ledger");
  });

  it.skipIf(!hasCorpus).each(["claude-code", "codex"])(
    "agrees with the calls of every %s file of the corpus",
    async (folder) => {
      const names = (await nodeFiles.list(corpusPath(folder))).filter((name) => name.endsWith(".jsonl"));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const source = await nodeFiles.open(corpusPath(folder, name));
        const index = await collect(readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED));
        const stated = index.calls.filter((call) => call.usage !== undefined).length;
        expect(index.ledger?.counted.count, name).toBe(stated);
        expect(index.ledger?.callsWithoutUsage.count, name).toBe(index.calls.length - stated);
      }
    },
  );
});

describe("the timeline of a context", () => {
  it("measures each call once, with what stood before its answer, and puts compactions between calls", async () => {
    const boundary = {
      type: "system",
      subtype: "compact_boundary",
      uuid: "z",
      sessionId: "s-1",
      compactMetadata: { trigger: "auto", preTokens: 190_000 },
    };
    const { timeline } = await timelineOf(
      jsonLines(
        { type: "user", uuid: "q", parentUuid: null, sessionId: "s-1", message: { role: "user", content: "12345" } },
        assistant("a", "m1", tokens(5)),
        assistant("b", "m1", tokens(6)),
        boundary,
        assistant("c", "m2", tokens(2)),
      ),
    );
    const { calls, compactions } = timeline.thread("s-1");
    expect(calls.map((call) => [call.number, call.place.line, call.chars, contextOf(call.usage)])).toEqual([
      [1, 2, 5, 116],
      [2, 5, 0, 112],
    ]);
    expect(compactions).toMatchObject([
      {
        afterCall: 1,
        place: { line: 4 },
        what: "summary",
        trigger: "auto",
        tokensBefore: 190_000,
        tokensAfter: undefined,
        charsBefore: 13,
        charsAfter: 0,
      },
    ]);
    expect(timeline.usage("s-1")).toEqual({ calls: 2, input: 8, cacheRead: 200, cacheWrite: 20, output: 2 });
    expect(timeline.usage("other")).toBeUndefined();
  });

  it("never makes 0 of what is not stated", () => {
    const timeline = new ContextTimeline();
    const call = (number: number, usage: Usage | undefined): ModelCall => ({
      number,
      threadId: "t",
      turn: 1,
      model: undefined,
      at: undefined,
      usage,
      place: place(number),
    });
    timeline.call(call(1, undefined), 10);
    timeline.call(call(2, { input: 4, cacheRead: undefined, cacheWrite: undefined, output: undefined }), 20);
    expect(timeline.usage("t")).toEqual({
      calls: 1,
      input: 4,
      cacheRead: undefined,
      cacheWrite: undefined,
      output: undefined,
    });
    expect(timeline.thread("t").calls.map((one) => contextOf(one.usage))).toEqual([undefined, 4]);
  });

  it("counts the calls that there is no room for, in whatever thread they come", () => {
    const timeline = new ContextTimeline();
    const usage = { input: 1, cacheRead: undefined, cacheWrite: undefined, output: undefined };
    const call = (threadId: string, number: number): ModelCall => ({
      number,
      threadId,
      turn: 1,
      model: undefined,
      at: undefined,
      usage,
      place: place(number),
    });
    const { calls: most } = TIMELINE_LIMITS;
    for (let number = 1; number < most; number++) timeline.call(call("a", number), number);
    for (let number = 1; number <= 3; number++) timeline.call(call("b", number), 7);
    timeline.call(call("a", most), 5);
    timeline.call({ ...call("a", 2), usage: { ...usage, input: 9 } }, 5);
    expect(timeline.thread("b")).toMatchObject({ calls: [{ number: 1, chars: 7 }], callsOmitted: 2 });
    const { calls, callsOmitted } = timeline.thread("a");
    expect([calls.length, callsOmitted]).toEqual([most - 1, 1]);
    expect(calls[1]).toMatchObject({ number: 2, chars: 2, usage: { input: 9 } });
    expect(timeline.usage("a")).toMatchObject({ calls: most - 1, input: most - 1 + 8 });
    expect(timeline.points("a", 100)).toMatchObject({ callsOmitted: 1, perPoint: 500 });
  });

  it("keeps peaks when it thins", () => {
    const timeline = new ContextTimeline();
    for (let number = 1; number <= 1000; number++) {
      const usage = {
        input: number === 557 ? 99_999 : number,
        cacheRead: undefined,
        cacheWrite: undefined,
        output: undefined,
      };
      timeline.call(
        { number, threadId: "t", turn: 1, model: undefined, at: undefined, usage, place: place(number) },
        0,
      );
    }
    const { calls, perPoint } = timeline.points("t", 100);
    expect(perPoint).toBe(10);
    expect(calls).toHaveLength(100);
    expect(Math.max(...calls.map((call) => contextOf(call.usage) ?? 0))).toBe(99_999);
  });
});
