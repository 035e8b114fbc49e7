import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../../extension/src/core/model/transcript";
import type { Database } from "../../../extension/src/core/ports";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readDatabase } from "../../../extension/src/core/transcript/database/readDatabase";
import { readRowBody } from "../../../extension/src/core/transcript/database/rowBody";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";

const ports = { utf8: nodeUtf8 };

interface SessionReads {
  readonly id: string;
  readonly live: readonly number[];
  readonly display: readonly number[];
  readonly all: readonly number[];
  readonly conversation: readonly (readonly [string, number | string])[];
}

async function open(path: string): Promise<Database> {
  const opened = await openDatabase(path, {}, NEVER_CANCELLED);
  if (!opened.ok || opened.value === undefined) throw new Error(JSON.stringify(opened));
  return opened.value;
}

/** Row ids of messages, by what became of them. */
function rowsOf(index: TranscriptIndex, threadId: string) {
  const rowId = (message: Message) => message.place.row?.id ?? -1;
  const own = index.messages.filter((message) => message.threadId === threadId && message.index >= 0);
  const gone = index.compactions.filter((compaction) => compaction.threadId === threadId);
  const idsOf = (kinds: (what: string) => boolean) =>
    new Set(gone.filter(({ what }) => kinds(what)).flatMap((each) => each.gone.messages.map(({ index: i }) => i)));
  const left = idsOf(() => true);
  const undone = idsOf((what) => what === "rewind");
  const full = index.results.flatMap((result) =>
    result.threadId === threadId && result.fullText !== undefined ? [result.fullText.place.row?.id ?? -1] : [],
  );
  return {
    // What a compaction kept is sent again in the order of its new rows.
    live: own.filter((message) => !left.has(message.index)).sort((a, b) => rowId(a) - rowId(b)),
    display: [...own.filter((message) => !undone.has(message.index)).map(rowId), ...full].sort((a, b) => a - b),
  };
}

describe.skipIf(!hasCorpus)("Hermes state.db of the corpus", () => {
  const reads = hasCorpus
    ? (JSON.parse(readFileSync(corpusPath("hermes", "state-reads.json"), "utf8")).sessions as readonly SessionReads[])
    : [];
  let database: Database;
  let index: TranscriptIndex;
  let sessionMeta: ReadonlySet<number>;
  const idsBySession = new Map<string, number[]>();

  beforeAll(async () => {
    database = await open(corpusPath("hermes", "home", "state.db"));
    index = await collect(readDatabase(database, ports, NEVER_CANCELLED));
    const meta = new Set<number>();
    for (const row of database.rows({ table: "messages", columns: ["session_id", "role"] })) {
      const id = String(row.values[0]);
      idsBySession.set(id, [...(idsBySession.get(id) ?? []), row.id]);
      if (row.values[1] === "session_meta") meta.add(row.id);
    }
    sessionMeta = meta;
  });
  afterAll(() => database.close());

  it("lists every session, the oldest first", () => {
    const times = index.threads.map((thread) => thread.startedAt ?? "");
    expect(times).toEqual([...times].sort());
    expect(index.threads.map((thread) => thread.id).sort()).toEqual(reads.map((each) => each.id).sort());
  });

  it.each(reads.map((each) => [each.id, each] as const))(
    "%s holds the rows that the agent's own reads give",
    (id, expected) => {
      const withoutMeta = (ids: readonly number[]) => ids.filter((row) => !sessionMeta.has(row));
      const rows = rowsOf(index, id);
      expect(rows.live.map((message) => message.place.row?.id)).toEqual(withoutMeta(expected.live));
      expect(rows.display).toEqual(withoutMeta(expected.display));
      expect(idsBySession.get(id) ?? []).toEqual(expected.all);
    },
  );

  it.each(reads.map((each) => [each.id, each] as const))("%s would be resumed with what is live", (id, expected) => {
    const { live } = rowsOf(index, id);
    const replaced = new Set<number>();
    for (const row of database.rows({ table: "messages", columns: ["api_content"] })) {
      if (row.values[0] !== null) replaced.add(row.id);
    }
    const said = live.map((message) => [
      message.role,
      replaced.has(message.place.row?.id ?? -1) ? "replaced" : message.size.codePoints,
    ]);
    const wanted = expected.conversation
      .filter(([role]) => role !== "session_meta")
      .map(([role, chars], i) => {
        const message = live[i];
        if (message !== undefined && replaced.has(message.place.row?.id ?? -1)) return [role, "replaced"];
        return [role, chars === "list" ? message?.size.codePoints : chars];
      });
    expect(said).toEqual(wanted);
  });

  it("measures each result as its text reads back", () => {
    for (const result of index.results) {
      if (result.body === undefined) continue;
      const body = readRowBody(database, result.body, ports);
      expect(body.ok && [...body.value.text].length).toBe(result.size.codePoints);
    }
  });

  it("prints", () => {
    console.log(index.threads.map((t) => JSON.stringify(t)).join("\n"));
    console.log(
      index.problems,
      index.compactions.map((c) =>
        [
          c.threadId,
          c.place.line,
          c.atMessage,
          c.what,
          c.scope,
          c.gone.messages.length,
          c.gone.results.length,
          c.clearedCallIds.length,
        ].join(" "),
      ),
    );
    console.log(
      index.results
        .filter((r) => r.threadId === "20260909_101500_5ad0c7")
        .map((r) => `${r.index} ${r.state} ${r.size.codePoints} ${r.place.line} ${r.fullText?.place.line} ${r.orphan}`)
        .join("\n"),
    );
  });
});
