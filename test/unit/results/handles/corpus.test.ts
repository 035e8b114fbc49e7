import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { HandlesPage } from "../../../../extension/src/core/model/handlesPage";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import type { Handle } from "../../../../extension/src/core/results/handles/handle";
import { readableAt } from "../../../../extension/src/core/results/handles/readable";
import { handlesPage, scanHandles } from "../../../../extension/src/node/simulation/handlesPage";
import { loadTranscript } from "../../../../extension/src/node/simulation/loadTranscript";
import { corpusPath, hasCorpus } from "../../../corpus";
import { storeHandle } from "./samples";

async function pageOf(...parts: readonly string[]): Promise<HandlesPage> {
  const loaded = await loadTranscript(
    corpusPath(...parts),
    { format: undefined, onProgress: () => undefined },
    NEVER_CANCELLED,
  );
  if (loaded?.ok !== true) throw new Error(`${parts.join("/")} was not loaded`);
  try {
    const scan = await scanHandles(loaded.value, NEVER_CANCELLED, () => undefined);
    if (scan === undefined) throw new Error("cancelled");
    return await handlesPage(loaded.value, scan, { moment: { kind: "end" }, use: null, from: 0, count: 200 }, 0);
  } finally {
    loaded.value.close();
  }
}

interface PlainCall {
  readonly name: string;
  readonly args: string;
}
interface PlainHandle {
  readonly path: string;
  readonly named: number;
  readonly repeated: number;
}
interface PlainMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?:
    | readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
    | null;
}

/** Every handle with how many later calls name its path, and how many are the same again: by comparing everything with everything. */
function slowly(messages: readonly PlainMessage[]): readonly PlainHandle[] {
  const found: PlainHandle[] = [];
  for (const [at, { role, content, tool_call_id }] of messages.entries()) {
    if (role !== "tool" || typeof content !== "string") continue;
    const body = content.replace(/^<untrusted_tool_result[\s\S]*?\n\n/, "").replace(/\n<\/untrusted_tool_result>$/, "");
    const isBlock =
      body.startsWith("<persisted-output>\nThis tool result was too large (") && body.endsWith("</persisted-output>");
    const isOld = /\[Large tool response: [\d,]+ characters total[^\]]*\]$/.test(body);
    const path =
      isBlock || isOld
        ? /Full output saved to: (.+)/.exec(body.slice(isOld ? body.lastIndexOf("[Large") : 0))?.[1]
        : undefined;
    if (path === undefined) continue;
    const asking = messages.slice(0, at).findLastIndex((one) => one.tool_calls?.some(({ id }) => id === tool_call_id));
    const asked = messages[asking]?.tool_calls?.find(({ id }) => id === tool_call_id)?.function;
    const later: PlainCall[] = messages
      .slice(asking + 1)
      .flatMap((one) => one.tool_calls ?? [])
      .map(({ function: fn }) => ({ name: fn.name, args: fn.arguments }));
    found.push({
      path,
      named: later.filter(({ args }) => args.includes(path)).length,
      repeated: later.filter(({ name, args }) => name === asked?.name && args === asked.arguments).length,
    });
  }
  return found;
}

const plainly = (page: HandlesPage): readonly PlainHandle[] =>
  page.rows
    .map(({ name, readCount, maybeCount, repeatCount }) => ({
      path: name,
      named: readCount + maybeCount,
      repeated: repeatCount,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
const sorted = (handles: readonly PlainHandle[]): readonly PlainHandle[] =>
  [...handles].sort((a, b) => (a.path < b.path ? -1 : 1));

describe.skipIf(!hasCorpus)("handles of the recorded transcripts", () => {
  it("of a Hermes export are those that a plain reader finds, as are their reads and repeats", async () => {
    const lines = readFileSync(corpusPath("hermes", "export.jsonl"), "utf8").trimEnd().split("\n");
    const expected = lines.flatMap((line) =>
      slowly((JSON.parse(line) as { messages: readonly PlainMessage[] }).messages),
    );
    const page = await pageOf("hermes", "export.jsonl");
    expect(plainly(page)).toEqual(
      sorted(expected.map((one) => ({ ...one, path: one.path.replace(/ *Use read_file.*/, "") }))),
    );
    expect(page.counts).toEqual({ never: 10, read: 0, repeated: 2, unknown: 0 });
  });

  it("of the database are those of its export", async () => {
    const [database, file] = await Promise.all([
      pageOf("hermes", "home", "state.db"),
      pageOf("hermes", "export.jsonl"),
    ]);
    expect(plainly(database)).toEqual(plainly(file));
    expect(database.counts).toEqual(file.counts);
    // Of several sessions none is the end; each is judged by its own.
    expect(database.at).toBeNull();
    const states = database.rows.map(({ why }) => why);
    expect(states.filter((why) => why === "kept-by-rule")).toHaveLength(8);
    expect(states.filter((why) => why === "no-rule")).toHaveLength(4);
  });

  it("of a snapshot are those of its batches over the turn budget as well", async () => {
    const file = ["hermes", "home", "sessions", "session_20260908_090003_1c40de.json"] as const;
    const { messages } = JSON.parse(readFileSync(corpusPath(...file), "utf8")) as { messages: readonly PlainMessage[] };
    const page = await pageOf(...file);
    expect(plainly(page)).toEqual(sorted(slowly(messages)));
    expect(page.counts.never).toBe(8);
    // A snapshot states no times of its messages.
    expect(page.rows.every(({ savedAt, why }) => savedAt === null && why === "no-time")).toBe(true);
  });

  it("of Claude Code: one is read twice, with its lines; behind blanked paths nobody knows", async () => {
    const read = await pageOf("claude-code", "compact-2.1.39", "8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl");
    expect(read.counts).toEqual({ never: 0, read: 1, repeated: 0, unknown: 0 });
    expect(read.rows[0]?.reads).toMatchObject([
      { line: 1111, way: "file", outcome: "read", part: { unit: "lines", from: 3850 }, chars: 132 },
      { line: 1115, way: "file", outcome: "read", part: { unit: "lines", from: 2560 }, chars: 1451 },
    ]);
    const blanked = await pageOf("claude-code", "checkpoints", "persist-bash-and-grep-2.1.17.jsonl");
    expect(blanked.counts).toEqual({ never: 1, read: 0, repeated: 0, unknown: 1 });
    const compacted = await pageOf("claude-code", "checkpoints", "two-compacts-2.1.14.jsonl");
    expect(compacted.counts).toEqual({ never: 3, read: 0, repeated: 0, unknown: 0 });
  });
});

type Parts = readonly (readonly [string, number])[];
interface OwnerIds {
  readonly botId: string;
  readonly threadId: string;
}
interface Op {
  readonly op: "save" | "read" | "advance";
  readonly owner?: OwnerIds;
  readonly parts?: Parts;
  readonly durable?: boolean;
  readonly saved?: number;
  readonly length?: number;
  readonly now?: number;
  readonly id?: number | string;
  readonly offset?: number | string;
  readonly result?: object | null;
}

describe.skipIf(!hasCorpus)("the store's fate as OpenMausBot recorded it (shared/corpus/openmausbot)", () => {
  it("is what the replay says of every read with a good offset", () => {
    const { sequences } = JSON.parse(readFileSync(corpusPath("openmausbot", "oracle.json"), "utf8")) as {
      readonly sequences: readonly { readonly label: string; readonly start: number; readonly ops: readonly Op[] }[];
    };
    let answered = 0;
    let gone = 0;
    for (const { label, start, ops } of sequences) {
      let now = start;
      const handles: Handle[] = [];
      for (const { op, ...one } of ops) {
        const owner = JSON.stringify(one.owner);
        if (op === "advance") now = one.now ?? now;
        if (op === "save") {
          const text = (one.parts ?? [])
            .map(([part, times]) => part.repeat(times))
            .join("")
            .slice(0, one.length);
          // Texts with secrets are kept without them, so their bytes are not those of the parts.
          const bytes = one.length === text.length ? Buffer.byteLength(text) : (one.length ?? 0);
          const units = one.length ?? 0;
          handles.push(
            storeHandle(one.saved ?? 0, {
              owner,
              savedAt: now,
              kept: { minUnits: units, maxUnits: units, minBytes: bytes, maxBytes: bytes },
              durable: one.durable === true,
            }),
          );
        }
        if (op !== "read" || typeof one.id !== "number") continue;
        const handle = handles.find(({ row }) => row === one.id);
        const isGood = typeof one.offset === "number" && Number.isSafeInteger(one.offset) && one.offset >= 0;
        if (handle === undefined || handle.owner !== owner || !isGood) continue;
        if (Number(one.offset) > (handle.kept?.maxUnits ?? 0)) continue;
        // When the clock went back nobody knows which of two times is wrong; the store does not care.
        if ((handle.savedAt ?? 0) > now) continue;
        const state = readableAt(handles, { kind: "now", at: now })[handles.indexOf(handle)];
        expect(state?.readable, `${label}: read of ${one.id} at ${now}`).toBe(one.result === null ? "no" : "yes");
        if (one.result === null) gone++;
        else answered++;
      }
    }
    expect(answered).toBeGreaterThan(50);
    expect(gone).toBeGreaterThan(10);
  });
});
