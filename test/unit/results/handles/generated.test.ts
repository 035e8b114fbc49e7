import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HandlesPage } from "../../../../extension/src/core/model/handlesPage";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { handlesPage, scanHandles } from "../../../../extension/src/node/simulation/handlesPage";
import { loadTranscript } from "../../../../extension/src/node/simulation/loadTranscript";

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Number of the request that made it. */
  readonly request: number;
  readonly leaves: boolean;
  /** Its result is in the transcript. */
  readonly answered: boolean;
}

const pathOf = (id: string): string => `/home/u/.hermes/cache/spillover/${id}.txt`;
const block = (id: string): string =>
  `<persisted-output>\nThis tool result was too large (30,000 characters, 29.3 KB).\nFull output saved to: ${pathOf(id)}\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 5 chars):\nfirst\n...\n</persisted-output>`;

/** A conversation of requests with one to three calls, which name earlier paths in all kinds of ways. */
function history(seed: number, requests: number): readonly Call[] {
  let state = seed;
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const calls: Call[] = [];
  for (let request = 1; request <= requests; request++) {
    const before = calls.filter(({ leaves }) => leaves);
    const count = 1 + below(3);
    for (let at = 0; at < count; at++) {
      const id = `call_${seed}_${request}_${at}_x`;
      const old = before[below(Math.max(1, before.length))];
      const path = pathOf(old?.id ?? "call_nobody_left");
      const [name, args] = [
        ["terminal", { command: `make target${below(4)}` }],
        ["web_extract", { urls: [`https://example.org/${below(3)}`], deep: below(2) === 1 }],
        ["read_file", { path, offset: 1 + below(9), limit: 5 }],
        ["terminal", { command: `cd /tmp && cat '${path}' | head -3` }],
        ["terminal", { command: `python3 sum.py ${path}` }],
        ["terminal", { command: `rm -f ${path}` }],
        ["write_file", { path: "/w/notes.md", content: `see ${path}` }],
      ][below(7)] as [string, Record<string, unknown>];
      calls.push({ id, name, args, request, leaves: below(4) === 0, answered: below(12) !== 0 });
    }
  }
  return calls;
}

function written(calls: readonly Call[]): string {
  const messages: unknown[] = [{ role: "user", content: "Begin." }];
  for (let request = 1; request <= (calls.at(-1)?.request ?? 0); request++) {
    const own = calls.filter((call) => call.request === request);
    messages.push({
      role: "assistant",
      content: "",
      tool_calls: own.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    });
    for (const { id, leaves, answered } of own)
      if (answered) messages.push({ role: "tool", tool_call_id: id, content: leaves ? block(id) : `answer of ${id}` });
  }
  return JSON.stringify({ session_id: "20260908_090003_1c40de", model: "kimi", messages });
}

/** Every handle held against every later call. */
function plainly(calls: readonly Call[]): readonly unknown[] {
  return calls
    .filter(({ leaves, answered }) => leaves && answered)
    .map((handle) => {
      const path = pathOf(handle.id);
      const later = calls.filter(({ request }) => request > handle.request);
      const command = ({ args }: Call): string => String(args["command"] ?? "");
      const reads = later.filter((call) => call.args["path"] === path || command(call).includes(`cat '${path}'`));
      const same = later.filter(
        ({ name, args }) => name === handle.name && JSON.stringify(args) === JSON.stringify(handle.args),
      );
      return {
        name: path,
        reads: reads.length,
        well: reads.filter(({ answered }) => answered).length,
        repeats: same.length,
        maybe: later.filter((call) => command(call) === `python3 sum.py ${path}`).length,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function found(text: string, path: string): Promise<HandlesPage> {
  writeFileSync(path, text);
  const loaded = await loadTranscript(path, { format: undefined, onProgress: () => undefined }, NEVER_CANCELLED);
  if (loaded?.ok !== true) throw new Error("not loaded");
  const scan = await scanHandles(loaded.value, NEVER_CANCELLED, () => undefined);
  const all = { moment: { kind: "now" }, use: null, from: 0, count: 10_000 } as const;
  if (scan === undefined) throw new Error("cancelled");
  const page = await handlesPage(loaded.value, scan, all, 0);
  loaded.value.close();
  return page;
}

describe("handles of generated conversations", () => {
  it("are those that comparing everything with everything finds, with all their reads and repeats", async () => {
    const folder = mkdtempSync(join(tmpdir(), "handles-"));
    let reads = 0;
    let repeats = 0;
    try {
      for (let seed = 1; seed <= 25; seed++) {
        const calls = history(seed, 10 + seed * 2);
        const page = await found(written(calls), join(folder, "session.json"));
        const own = page.rows
          .map(({ name, readCount, readWell, repeatCount, maybeCount }) => ({
            name,
            reads: readCount,
            well: readWell,
            repeats: repeatCount,
            maybe: maybeCount,
          }))
          .sort((a, b) => (a.name < b.name ? -1 : 1));
        expect(own, `seed ${seed}`).toEqual(plainly(calls));
        reads += own.reduce((sum, one) => sum + one.reads, 0);
        repeats += own.reduce((sum, one) => sum + one.repeats, 0);
        for (const { use, readWell, repeatCount, maybeCount, readCount } of page.rows) {
          const unanswered = readCount > readWell;
          const expected =
            readWell > 0 ? "read" : repeatCount > 0 ? "repeated" : maybeCount > 0 || unanswered ? "unknown" : "never";
          expect(use).toBe(expected);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(reads).toBeGreaterThan(100);
    expect(repeats).toBeGreaterThan(100);
  });
});
