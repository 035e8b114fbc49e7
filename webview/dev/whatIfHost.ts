import { plainFacts } from "../../extension/src/core/compaction/facts";
import { ITEM, ROLES, type SimThread } from "../../extension/src/core/compaction/simThread";
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import type { ToolResult } from "../../extension/src/core/model/transcript";
import { SimulatedThread } from "../../extension/src/node/simulation/simulatedThread";
import { affectedShape, curveShape, outcomeShape } from "../../extension/src/node/simulation/whatIfShapes";
import type { WhatIfCalls, WhatIfFacts, WhatIfThread } from "../../extension/src/protocol/whatIf";

export interface WhatIfThreadMade {
  readonly thread: WhatIfThread;
  readonly rows: readonly ResultRow[];
}

/** Context at which the made transcript compacts itself; tokens. */
const COMPACTS_AT = 190_000;
/** Tokens that no record shows. */
const BASE_TOKENS = 11_200;
const SYSTEM_CHARS = 18_402;
const RUNS = { isCancellationRequested: false } as const;

/** The host's side of the what-if tab: the real simulator over a thread made from rows. */
export class WhatIfHost {
  readonly #threads: readonly WhatIfThreadMade[];
  readonly #made = new Map<string, SimulatedThread>();
  /** Said in place of what is made up. */
  facts: Partial<WhatIfFacts> = {};

  constructor(threads: readonly WhatIfThreadMade[]) {
    this.#threads = threads;
  }

  /** Undefined = no such call. */
  answer(method: string, body: unknown): unknown {
    switch (method) {
      case "whatIfOpen":
        return this.#open((body as WhatIfCalls["whatIfOpen"]["in"]).thread);
      case "whatIfRun": {
        const input = body as WhatIfCalls["whatIfRun"]["in"];
        const made = this.#thread(input.thread);
        const outcome = made?.run(input, RUNS);
        return made === undefined || outcome === undefined ? null : outcomeShape(made.sim, outcome);
      }
      case "whatIfAffected": {
        const asked = body as WhatIfCalls["whatIfAffected"]["in"];
        const made = this.#thread(asked.input.thread);
        const outcome = made?.run(asked.input, RUNS);
        if (made === undefined || outcome === undefined) return null;
        return affectedShape({ sim: made.sim, facts: made.facts, results: this.#results(made) }, outcome, asked);
      }
      case "whatIfCurve": {
        const asked = body as WhatIfCalls["whatIfCurve"]["in"];
        const made = this.#thread(asked.thread);
        return made === undefined ? null : curveShape(made.sim, made.facts, asked.policy);
      }
      case "whatIfDiff":
      case "whatIfExport":
        return { opened: true };
      case "whatIfApply":
        return { applied: true };
      default:
        return undefined;
    }
  }

  #open(id: string | null): WhatIfFacts | null {
    const found = this.#threads.find(({ thread }) => id === null || thread.id === id);
    if (found === undefined) return null;
    const { thread, rows } = found;
    const made = this.#thread(thread.id);
    const measured = made?.sim.calls.measured;
    const sum = (column: Float64Array | undefined): number =>
      column?.reduce((all, one) => all + (Number.isNaN(one) ? 0 : one), 0) ?? 0;
    return {
      thread: thread.id,
      threads: this.#threads.map((each) => each.thread),
      calls: thread.calls,
      results: rows.length,
      resultsRead: rows.length,
      measured: {
        calls: measured?.input.reduce((count, one) => count + Number(!Number.isNaN(one)), 0) ?? 0,
        input: sum(measured?.input) + sum(measured?.cacheRead),
        cacheRead: sum(measured?.cacheRead),
      },
      suggestedBaseTokens: BASE_TOKENS,
      suggestedWindowTokens: 200_000,
      inferred: {
        atLeast: 39_200,
        below: 48_120,
        note: "The largest result that stands inline has 39,199 characters, the smallest persisted one 48,120. The config says 30,000; it was changed after this conversation began.",
      },
      configThreshold: { chars: 30_000, file: "/home/ada/.hermes/config.yaml" },
      notes: ["3 of 64 requests have no time, so the cache counts as still alive there."],
      ...this.facts,
    };
  }

  #thread(id: string): SimulatedThread | undefined {
    const known = this.#made.get(id);
    const found = this.#threads.find(({ thread }) => thread.id === id);
    if (known !== undefined || found === undefined) return known;
    const sim = makeThread(id, found.rows, found.thread.calls);
    const made = new SimulatedThread({} as SimulatedThread["thread"], sim, plainFacts(sim));
    this.#made.set(id, made);
    return made;
  }

  #results(made: SimulatedThread): readonly ToolResult[] {
    const rows = this.#threads.find(({ thread }) => thread.id === made.sim.id)?.rows ?? [];
    const results: ToolResult[] = [];
    for (const row of rows) results[row.index] = { tool: row.tool, place: { line: row.line } } as unknown as ToolResult;
    return results;
  }
}

/** Longest thread that is made, calls. */
const MOST_CALLS = 10_000;

/** Threads of a recorded state: the rows of each, and half as many calls. */
export function whatIfThreads(
  threads: readonly { readonly id: string; readonly title: string; readonly calls: number }[],
  rows: readonly ResultRow[],
): readonly WhatIfThreadMade[] {
  return threads.map(({ id, title, calls }, at) => {
    const own = threads.length === 1 ? rows : rows.filter((row) => (at === 0) === (row.thread === threads[0]?.id));
    const count = Math.min(MOST_CALLS, Math.max(calls, Math.ceil(own.length / 2)));
    return { thread: { id, title, calls: count, results: own.length }, rows: own };
  });
}

/** Every call answers, asks for its share of the rows, and is told their results before the next one. */
function makeThread(id: string, rows: readonly ResultRow[], calls: number): SimThread {
  const tools = [...new Set(rows.map((row) => row.tool ?? ""))];
  const items: { kind: number; role: number; chars: number; result: number; firstCall: number; endCall: number }[] = [];
  const seen = new Int32Array(calls);
  const compacted = new Uint8Array(calls);
  const input = new Float64Array(calls).fill(Number.NaN);
  const cacheRead = new Float64Array(calls).fill(Number.NaN);
  const batch = new Int32Array(rows.length);
  const itemOf = new Int32Array(rows.length);
  let inContext = 0;
  const add = (kind: number, role: (typeof ROLES)[number], chars: number, firstCall: number, result = -1): void => {
    items.push({ kind, role: ROLES.indexOf(role), chars, result, firstCall, endCall: calls });
    inContext += chars;
  };
  add(ITEM.text, "system", SYSTEM_CHARS, 0);
  let next = 0;
  let kept = 1;
  let before = 0;
  for (let call = 0; call < calls; call++) {
    if (call % 4 === 0) add(ITEM.text, "user", 900, call);
    if (inContext / 4 + BASE_TOKENS > COMPACTS_AT) {
      for (let at = kept; at < items.length; at++) {
        const item = items[at];
        if (item !== undefined) item.endCall = Math.max(item.firstCall, call);
      }
      kept = items.length;
      compacted[call] = 1;
      inContext = SYSTEM_CHARS;
      add(ITEM.text, "assistant", 24_000, call);
    }
    const tokens = Math.round(inContext / 4) + BASE_TOKENS;
    seen[call] = items.length;
    if (call % 17 !== 16) {
      cacheRead[call] = compacted[call] === 1 || call === 0 ? 0 : Math.round(before * 0.97);
      input[call] = Math.round(tokens * 1.03) - (cacheRead[call] ?? 0);
    }
    before = tokens;
    add(ITEM.text, "assistant", 600 + ((call * 197) % 1_400), call + 1);
    const until = Math.round(((call + 1) / calls) * rows.length);
    for (; next < until; next++) {
      const row = rows[next];
      batch[next] = call;
      itemOf[next] = items.length;
      add(ITEM.result, "tool", row?.statedChars ?? row?.chars ?? 0, call + 1, next);
    }
  }
  const column = (of: (item: (typeof items)[number]) => number): Int32Array => Int32Array.from(items, of);
  return {
    id,
    items: {
      count: items.length,
      kind: Uint8Array.from(items, (item) => item.kind),
      role: Uint8Array.from(items, (item) => item.role),
      chars: Float64Array.from(items, (item) => item.chars),
      images: new Int32Array(items.length),
      message: Int32Array.from(items, (_, at) => at),
      messageIndex: Int32Array.from(items, (_, at) => at),
      result: column((item) => item.result),
      firstCall: column((item) => Math.min(calls, item.firstCall)),
      endCall: column((item) => Math.max(Math.min(calls, item.firstCall), item.endCall)),
      frame: new Int32Array(items.length),
    },
    results: {
      count: rows.length,
      index: Int32Array.from(rows, (row) => row.index),
      item: itemOf,
      tool: Int32Array.from(rows, (row) => tools.indexOf(row.tool ?? "")),
      batch,
      callId: rows.map((row) => row.callId ?? undefined),
      inline: new Uint8Array(rows.length).fill(1),
      trusted: new Uint8Array(rows.length),
    },
    tools,
    calls: {
      count: calls,
      number: Int32Array.from({ length: calls }, (_, at) => at + 1),
      seen,
      at: new Float64Array(calls).fill(Number.NaN),
      measured: {
        input,
        cacheRead,
        cacheWrite: new Float64Array(calls).fill(Number.NaN),
        output: new Float64Array(calls).fill(Number.NaN),
      },
      compacted,
    },
    unstatedCompactions: 0,
  };
}
