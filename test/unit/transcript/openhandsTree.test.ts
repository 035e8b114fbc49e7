import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { codes, jsonLines, read } from "./support";

interface Event {
  readonly id: string;
  readonly parent_id?: string | undefined;
}

/** Each event's text has a length of its own, so that a set of them is known by its sum. */
const said = ({ id, parent_id }: Event, i: number) => ({
  id,
  parent_id,
  timestamp: "2026-07-01T10:00:00",
  source: "user",
  kind: "MessageEvent",
  llm_message: { role: "user", content: [{ type: "text", text: "x".repeat(2 ** i) }] },
});

const goneSizes = (index: TranscriptIndex): number[] =>
  index.compactions.map(({ gone }) => gone.messages.reduce((sum, { size }) => sum + size.codePoints, 0));

const sizeInContext = (index: TranscriptIndex): number =>
  index.messages.reduce((sum, { size }) => sum + size.codePoints, 0) - goneSizes(index).reduce((a, b) => a + b, 0);

const whole = (events: readonly Event[], leaf?: string): string =>
  JSON.stringify({ events: events.map(said), execution_status: "idle", agent: {}, leaf_event_id: leaf });

describe("the tree of an OpenHands conversation", () => {
  it("an event that follows on an older one leaves what stands behind that one, said as a rewind", async () => {
    const index = await read(
      jsonLines(
        ...[
          { id: "a", parent_id: "__root__" },
          { id: "b", parent_id: "a" },
          { id: "c", parent_id: "b" },
          { id: "d", parent_id: "a" },
        ].map(said),
      ),
    );
    expect(index.compactions).toMatchObject([{ what: "rewind", scope: "listed", atMessage: 3 }]);
    expect(goneSizes(index)).toEqual([2 + 4]);
  });

  it.each([
    ["the conversation went back and nothing was said since", "a", [2 + 4]],
    ["it is where the last event is", "c", []],
    ["an event that is not in the log says nothing", "elsewhere", []],
    ["no event", undefined, []],
  ])("the state says where it is: %s", async (_, leaf, gone) => {
    const events = [{ id: "a" }, { id: "b", parent_id: "a" }, { id: "c", parent_id: "b" }];
    expect(goneSizes(await read(whole(events, leaf)))).toEqual(gone);
  });

  it("a branch that is taken up again is said, its texts are not brought back", async () => {
    const events = [
      { id: "a" },
      { id: "b", parent_id: "a" },
      { id: "c", parent_id: "a" },
      { id: "d", parent_id: "b" },
      { id: "e", parent_id: "d" },
    ];
    const index = await read(jsonLines(...events.map(said)));
    expect(goneSizes(index)).toEqual([2, 4]);
    expect(sizeInContext(index)).toBe(1 + 8 + 16);
    expect(codes(index)).toEqual(["branch-resumed"]);
  });

  it("what is in context is the path from the newest event to the root, by a plain walk", async () => {
    const steps = fc.array(fc.record({ back: fc.nat(3), old: fc.boolean() }), { minLength: 1, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(3), async (choices, leafBack) => {
        let path: string[] = [];
        const events = choices.map(({ back, old }, i): Event => {
          // Old servers write no parent: the event follows on the one before it.
          const kept = old ? path : path.slice(0, Math.max(0, path.length - back));
          const parent_id = old ? undefined : (kept.at(-1) ?? "__root__");
          path = [...kept, `e${i}`];
          return { id: `e${i}`, parent_id };
        });
        path = path.slice(0, Math.max(1, path.length - leafBack));
        const index = await read(whole(events, path.at(-1)));
        expect(sizeInContext(index)).toBe(path.reduce((sum, id) => sum + 2 ** Number(id.slice(1)), 0));
        expect(codes(index)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("from branch to branch: in context is what is on the path and never was off it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40), { minLength: 1, maxLength: 20 }), async (jumps) => {
        const parents: number[] = [];
        let alive = new Set<number>();
        for (const [i, jump] of jumps.entries()) {
          parents.push(i === 0 ? -1 : jump % i);
          const path = new Set<number>();
          for (let at = i; at >= 0; at = parents[at] ?? -1) path.add(at);
          alive = new Set([...alive, i].filter((one) => path.has(one)));
        }
        const events = parents.map((parent, i) => ({
          id: `e${i}`,
          parent_id: parent < 0 ? "__root__" : `e${parent}`,
        }));
        const index = await read(whole(events));
        expect(sizeInContext(index)).toBe([...alive].reduce((sum, i) => sum + 2 ** i, 0));
      }),
      { numRuns: 200 },
    );
  });

  it("parents that name each other, themselves or no one end nothing and hang nothing", async () => {
    const events = [
      { id: "a", parent_id: "b" },
      { id: "b", parent_id: "a" },
      { id: "a", parent_id: "a" },
      { id: "c", parent_id: "../../x" },
      { id: "__root__", parent_id: "__root__" },
    ];
    const index = await read(jsonLines(...events.map(said)));
    expect(index.messages).toHaveLength(5);
    expect(sizeInContext(index)).toBeGreaterThanOrEqual(0);
  });

  it("a long log that goes back all the time, or from branch to branch, is read in one pass", async () => {
    for (const jump of [(i: number) => (i % 2 === 0 ? i - 2 : i - 1), (i: number) => i - 2]) {
      const events = Array.from({ length: 20_000 }, (_, i) => ({
        id: `e${i}`,
        parent_id: `e${Math.max(0, jump(i))}`,
        kind: "PauseEvent",
      }));
      expect((await read(jsonLines(...events))).messages).toEqual([]);
    }
  });
});

describe("what OpenHands sends with a message", () => {
  const base = { timestamp: "2026-07-01T10:00:00", source: "agent" };

  it("texts that skills add, and the part of the system prompt that changes", async () => {
    const index = await read(
      jsonLines(
        {
          ...base,
          id: "s",
          kind: "SystemPromptEvent",
          system_prompt: { type: "text", text: "12345" },
          dynamic_context: { type: "text", text: "678" },
          tools: [],
        },
        {
          ...base,
          id: "u",
          source: "user",
          kind: "MessageEvent",
          llm_message: { role: "user", content: [{ type: "text", text: "hi" }] },
          extended_content: [{ type: "text", text: "<skill>" }],
        },
        { ...base, id: "o", kind: "SystemPromptEvent", system_prompt: "old", tools: [] },
      ),
    );
    expect(index.messages.map(({ role, size }) => [role, size.codePoints])).toEqual([
      ["system", 8],
      ["user", 9],
      ["system", 3],
    ]);
    expect(codes(index)).toEqual([]);
  });

  it("a summary leaves with the condensation that forgets it, and with its branch", async () => {
    const condensation = (id: string, parent_id: string, forgotten_event_ids: string[], summary_offset?: number) => ({
      ...base,
      id,
      parent_id,
      kind: "Condensation",
      forgotten_event_ids,
      summary: "S".repeat(100),
      summary_offset,
      llm_response_id: "r",
    });
    const index = await read(
      jsonLines(
        said({ id: "a" }, 0),
        condensation("k", "a", ["a"], 0),
        said({ id: "b", parent_id: "k" }, 1),
        condensation("l", "b", ["k-summary"], 0),
        // Without a place for it the summary is not sent.
        condensation("m", "l", []),
        said({ id: "c", parent_id: "b" }, 2),
      ),
    );
    expect(index.compactions.map(({ what }) => what)).toEqual(["summary", "summary", "summary", "rewind"]);
    expect(goneSizes(index)).toEqual([1, 100, 0, 100]);
    expect(sizeInContext(index)).toBe(2 + 4);
  });

  it("a condensation is a call of its own, with the usage that the state keeps of it", async () => {
    const usage = { response_id: "r9", prompt_tokens: 70, completion_tokens: 5, cache_read_tokens: 0 };
    const index = await read(
      JSON.stringify({
        events: [
          said({ id: "a" }, 0),
          { ...base, id: "k", kind: "Condensation", forgotten_event_ids: ["a"], llm_response_id: "r9" },
        ],
        execution_status: "idle",
        agent: {},
        stats: { usage_to_metrics: { condenser: { token_usages: [usage] } } },
      }),
    );
    expect(index.calls.map((call) => call.usage)).toMatchObject([{ input: 70, output: 5 }]);
    expect(index.messages).toHaveLength(1);
  });
});
