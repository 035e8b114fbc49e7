import { describe, expect, it } from "vitest";
import type { Compaction } from "../../../extension/src/core/model/transcript";
import { ContextTimeline } from "../../../extension/src/core/transcript/timeline";
import { toOverview } from "../../../extension/src/node/overview";
import { OVERVIEW_LIMITS } from "../../../extension/src/protocol/webview";

const place = (line: number) => ({ line, start: line * 100, end: line * 100 + 99 });

const compaction = (line: number): Compaction => ({
  threadId: "t",
  what: "summary",
  scope: "all",
  trigger: undefined,
  tokensBefore: undefined,
  tokensAfter: undefined,
  tokensFreed: undefined,
  clearedCallIds: [],
  atMessage: 0,
  gone: { messages: [], results: [] },
  place: place(line),
});

describe("the overview of a long thread", () => {
  it("tells of a compaction what the calls beside it measured, also where they are not drawn", () => {
    const timeline = new ContextTimeline();
    const calls = OVERVIEW_LIMITS.points * 5;
    // Compacted before every seventh call; between two of them the context grows, so that a stretch's peak is another call.
    const contextAt = (number: number): number => 1_000 + ((number - 1) % 7) * 100 + number;
    for (let number = 1; number <= calls; number++) {
      if (number % 7 === 1) timeline.compaction(compaction(number), 0, 0);
      const input = number === 8 ? undefined : contextAt(number);
      const usage = { input, cacheRead: undefined, cacheWrite: undefined, output: undefined };
      timeline.call(
        { number, threadId: "t", turn: 1, model: undefined, at: undefined, usage, place: place(number) },
        0,
      );
    }
    timeline.compaction(compaction(calls + 1), 0, 0);
    const threads = () => [
      { id: "t", title: "t", kind: "main" as const, calls, messages: 0, chars: 0, measuredTokens: null },
    ];
    const source = { summary: { threads }, timeline, threads: new Map(), header: undefined, ledger: undefined };
    const { compactions, callsPerPoint, points } = toOverview(
      source as unknown as Parameters<typeof toOverview>[0],
      "t",
    );
    expect(callsPerPoint).toBe(5);
    expect(compactions[0]).toMatchObject({ afterCall: 0, measuredBefore: null, measuredAfter: contextAt(1) });
    expect(compactions[1]).toMatchObject({ afterCall: 7, measuredBefore: contextAt(7), measuredAfter: null });
    const drawn = new Set(points.map(({ call }) => call));
    const unseen = compactions.slice(2).filter(({ afterCall }) => !drawn.has(afterCall + 1));
    expect(unseen.length).toBeGreaterThan(10);
    for (const { afterCall, measuredBefore, measuredAfter } of compactions.slice(2))
      expect([measuredBefore, measuredAfter]).toEqual([
        contextAt(afterCall),
        afterCall === calls ? null : contextAt(afterCall + 1),
      ]);
  });
});
