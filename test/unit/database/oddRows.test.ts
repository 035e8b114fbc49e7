import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRowBody } from "../../../extension/src/core/transcript/database/rowBody";
import { mutated, Random } from "../transcript/mutate";
import { OPENCODE_TWO_MESSAGES } from "../transcript/samples";
import { callOf, makeDatabase, message, mustOpen, ports, readIndex, scratchFolder, type Value } from "./support";

type Row = Readonly<Record<string, Value>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

const folder = scratchFolder();
const ROUNDS = Math.ceil(Number(process.env["FUZZ_LINES"] ?? 5_000) / 500);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_130);

/** What other programs, other versions and attackers leave in a column. */
const ODD: readonly Value[] = [
  null,
  "",
  0,
  -1,
  1e308,
  9_007_199_254_740_993n,
  "\u0000json:[",
  "../../etc/passwd",
  "__proto__",
  '{"toString":1,"valueOf":1}',
  "[".repeat(20_000),
  Buffer.from([0xff, 0xfe, 0x00]),
];

const opencodeTool = { type: "tool", callID: "c1", tool: "bash" };
const opencode: Tables = {
  session: [
    { id: "ses_1", title: "T", parent_id: null, directory: "/w", time_created: 1, revert: null },
    { id: "ses_2", title: "U", parent_id: "ses_1", directory: "/w", time_created: 2, revert: '{"messageID":"msg_3"}' },
  ],
  message: ["ses_1", "ses_1", "ses_2"].map((session_id, i) => ({
    id: `msg_${i + 1}`,
    session_id,
    time_created: i,
    data: JSON.stringify({
      role: i === 0 ? "user" : "assistant",
      modelID: "m",
      time: { created: i, completed: i + 1 },
      tokens: { input: 5, output: 2, cache: { read: 7, write: 1 } },
    }),
  })),
  part: [
    { type: "text", text: "go 😀" },
    { ...opencodeTool, state: { status: "completed", input: { a: 1 }, output: "out 潮", time: { compacted: 7 } } },
    { ...opencodeTool, callID: "c2", state: { status: "error", input: {}, error: "no" } },
  ].map((part, i) => ({ id: `prt_${i}`, message_id: `msg_${i + 1}`, session_id: "ses_1", data: JSON.stringify(part) })),
};
const opencodeTwo: Tables = {
  session_v2: [
    { id: "ses_1", title: "T", parent_id: null, fork_session_id: null, directory: "/w", time_created: 1, revert: null },
    {
      id: "ses_2",
      title: "U",
      parent_id: null,
      fork_session_id: "ses_1",
      directory: "/w",
      time_created: 2,
      revert: "{}",
    },
  ],
  session_message: ["ses_1", "ses_2"].flatMap((session_id) =>
    OPENCODE_TWO_MESSAGES.map(({ id, type, ...data }, seq) => ({
      id: `${id}${session_id}`,
      session_id,
      type,
      seq,
      time_created: seq,
      data: JSON.stringify(data),
    })),
  ),
};
const hermes: Tables = {
  sessions: [
    { id: "s", started_at: 1, title: "T", model: "m", model_config: '{"_branched_from":"x"}', input_tokens: 5 },
    { id: "t", started_at: 2, title: "U", model: "m", model_config: null, input_tokens: null },
  ],
  messages: [
    message({ id: 1, content: "hello" }),
    message({ id: 2, role: "assistant", tool_calls: callOf("c1") }),
    message({ id: 3, role: "tool", tool_call_id: "c1", content: '\u0000json:[{"type":"text","text":"out 😀"}]' }),
    message({ id: 4, session_id: "t", active: 0, compacted: 1, content: "gone" }),
    message({ id: 5, session_id: "t", content: "stays", api_content: "stays, as sent" }),
  ],
};

/** One cell of one row is another. */
function changed(tables: Tables, random: Random): Tables {
  const table = random.pick(Object.keys(tables));
  const rows = [...(tables[table] ?? [])];
  const at = random.below(rows.length);
  const row = rows[at] ?? {};
  const column = random.pick(Object.keys(row));
  const old = row[column];
  const text = Buffer.from(typeof old === "string" ? old : "x");
  const value =
    random.below(3) > 0 && typeof old === "string"
      ? Buffer.from(mutated(text, random, Buffer.from('{"a":[]}'))).toString("utf8")
      : random.pick(ODD);
  // Keys are of one type in any database.
  if (column !== "id" || (typeof value === "string" && typeof old === "string")) rows[at] = { ...row, [column]: value };
  return { ...tables, [table]: rows };
}

describe("databases with odd rows", () => {
  it.each([
    ["opencode", opencode],
    ["opencode 2", opencodeTwo],
    ["Hermes", hermes],
  ])(
    "%s: nothing is thrown, and every text is what was measured",
    { timeout: 60_000 + ROUNDS * 6_000 },
    async (name, tables) => {
      const sound = await readIndex(makeDatabase(join(folder, `${name}.db`), tables));
      expect("code" in sound ? sound : sound.problems.filter(({ severity }) => severity !== "info")).toEqual([]);
      for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
        const random = new Random(seed);
        let odd = tables;
        for (let edits = 1 + random.below(3); edits > 0; edits--) odd = changed(odd, random);
        const path = makeDatabase(join(folder, `${name} ${seed}.db`), odd);
        const index = await readIndex(path);
        if ("code" in index) {
          expect(index.message, `seed ${seed}`).not.toBe("");
          continue;
        }
        const database = await mustOpen(path);
        for (const { body, size } of index.results) {
          const text = body && readRowBody(database, body, ports);
          if (text === undefined) continue;
          expect(text.ok ? text.value.text.length : text.error.message, `seed ${seed}`).toBe(size.utf16);
        }
        database.close();
      }
    },
  );
});
