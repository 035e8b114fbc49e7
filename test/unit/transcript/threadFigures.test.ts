import { describe, expect, it } from "vitest";
import type { Figures, ThreadTotals } from "../../../extension/src/core/model/totals";
import type { ToolResult } from "../../../extension/src/core/model/transcript";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { TableReading } from "../../../extension/src/core/transcript/table/tableReading";
import { indexFile } from "../../../extension/src/node/indexFile";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { SAMPLES } from "./samples";
import { events, jsonLines, memorySource } from "./support";

/** Figures of a context, in a transcript those of the main threads; the others are of all threads. */
const OF_CONTEXT = ["chars", "resultsLeft", "charsLeft"] as const;
const OF_ALL = ["calls", "messages", "results", "persisted", "charsKeptOut"] as const;

function agrees(threads: readonly ThreadTotals[], totals: Figures, name: string): void {
  const mains = threads.filter(({ kind }) => kind === "main");
  const shown = mains.length > 0 ? mains : threads.slice(0, 1);
  const sum = (of: readonly Figures[], pick: (one: Figures) => number): number =>
    of.reduce((total, one) => total + pick(one), 0);
  for (const key of OF_ALL)
    expect(
      sum(threads, (one) => one[key]),
      `${name}: ${key}`,
    ).toBe(totals[key]);
  for (const key of OF_CONTEXT)
    expect(
      sum(shown, (one) => one[key]),
      `${name}: ${key}`,
    ).toBe(totals[key]);
  for (const { composition, chars, id } of threads)
    expect(
      Object.values(composition).reduce((total, part) => total + part, 0),
      `${name}: ${id}`,
    ).toBe(chars);
  const measured = shown.map(({ measuredTokens }) => measuredTokens);
  expect([...measured, null], name).toContain(totals.measuredTokens);
}

/** Counts the results of a thread one by one, from the last that was told of each. */
function counted(all: readonly TranscriptEvent[], thread: string, unit: "utf16" | "codePoints") {
  const last = new Map<number, ToolResult>();
  for (const event of all) if (event.kind === "result") last.set(event.result.index, event.result);
  const mine = [...last.values()].filter(({ threadId }) => threadId === thread);
  const kept = mine.filter(({ state }) => state === "persisted" || state === "handle");
  const charsKeptOut = kept.reduce(
    (sum, { size, persisted }) => sum + Math.max(0, (persisted?.statedChars ?? 0) - size[unit]),
    0,
  );
  return { results: mine.length, persisted: kept.length, charsKeptOut };
}

function check(all: readonly TranscriptEvent[], name: string): readonly ThreadTotals[] {
  const summary = new Summary();
  summary.add(all);
  const threads = summary.threads();
  const unit = summary.transcript?.unit ?? "codePoints";
  agrees(threads, summary.totals(), name);
  for (const thread of threads) expect(thread, `${name}: ${thread.id}`).toMatchObject(counted(all, thread.id, unit));
  return threads;
}

describe("figures of a thread", () => {
  it.each(SAMPLES.map(([name, , content]) => [name, content] as const))(
    "of %s are those of its own results, and add up to the transcript's",
    async (name, content) => {
      check(await events(memorySource(content)), name);
    },
  );

  it("count a call that waits for its result in the thread that asked", async () => {
    const record = (role: "user" | "assistant", uuid: string, content: unknown, side: boolean) => ({
      type: role,
      uuid,
      sessionId: "s1",
      isSidechain: side,
      ...(side ? { agentId: "a1" } : {}),
      timestamp: "2026-01-01T00:00:00Z",
      message: { id: uuid, role, model: "m", content },
    });
    const use = (id: string) => [{ type: "tool_use", id, name: "Bash", input: {} }];
    const done = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "done" }];
    const text = jsonLines(
      record("user", "u1", "Hi", false),
      record("assistant", "m1", use("t1"), false),
      record("user", "u2", done("t1"), false),
      record("user", "u3", "Look", true),
      record("assistant", "m2", use("t2"), true),
    );
    const reading = new TableReading({ utf8: nodeUtf8 }, {});
    const steps = reading.advance(memorySource(text), NEVER_CANCELLED);
    while ((await steps.next()).done !== true);
    const { threads, totals } = reading.totals();
    agrees(threads, totals, "waiting");
    expect(threads.map(({ kind, results }) => [kind, results])).toEqual([
      ["main", 1],
      ["subagent", 1],
    ]);
  });
});

describe.skipIf(!hasCorpus)("the corpus", () => {
  it("the figures of the threads of every file add up to the file's", async () => {
    const files = ["claude-code", "codex", "opencode", "hermes", "copilot-cli", "openmausbot"].flatMap((folder) =>
      [".jsonl", ".json", ".db"].flatMap((ending) => filesBelow(folder, ending)),
    );
    let several = 0;
    for (const file of files) {
      const all: TranscriptEvent[] = [];
      for await (const batch of indexFile(corpusPath(file), undefined, NEVER_CANCELLED)) all.push(...batch);
      if (check(all, file).length > 1) several++;
    }
    expect(several).toBeGreaterThan(5);
  });
});
