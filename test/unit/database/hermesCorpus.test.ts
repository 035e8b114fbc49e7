import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../../extension/src/core/model/transcript";
import type { Database } from "../../../extension/src/core/ports";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readDatabase } from "../../../extension/src/core/transcript/database/readDatabase";
import { readRowBody } from "../../../extension/src/core/transcript/database/rowBody";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeFiles } from "../../../extension/src/node/files";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { nodeUnpacker } from "../../../extension/src/node/unpack";
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

  it("tells the compactions, undone turns and relations that the corpus has", () => {
    const told = index.compactions.map(({ threadId, place, what, gone, clearedCallIds }) =>
      [threadId, place.line, what, gone.messages.length, gone.results.length, clearedCallIds.length].join(" "),
    );
    expect(told).toEqual([
      "20260909_101500_5ad0c7 244 summary 26 15 0",
      "20260909_101500_5ad0c7 268 prune 0 0 8",
      "20260909_142210_cc22d9 311 summary 0 0 0",
      "20260909_160000_e10e55 332 rewind 10 4 0",
    ]);
    const parents = index.threads.flatMap(({ id, parent, kind }) =>
      parent === undefined ? [] : [`${id} ${kind} ${parent.relation} of ${parent.id}`],
    );
    expect(parents).toEqual([
      "20260909_142210_cc22d9 main compression of 20260909_140000_aa11e2",
      "20260909_150007_093e44 subagent delegate of 20260909_142210_cc22d9",
      "20260909_160000_e10e55 main branch of 20260909_101500_5ad0c7",
    ]);
    const study = index.threads.find(({ id }) => id === "20260907_080112_3f9a1c");
    expect(study?.usage?.map(({ task, calls }) => [task, calls])).toEqual([
      [undefined, 32],
      ["background_review", 2],
    ]);
    expect(index.calls.every(({ usage }) => usage === undefined)).toBe(true);
    expect(index.problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["info upper-bound"]);
  });

  it("holds the results that an export of the same home holds", async () => {
    const source = await nodeFiles.open(corpusPath("hermes", "export.jsonl"));
    const exported = await collect(
      readTranscript(source, { utf8: nodeUtf8, unpacker: nodeUnpacker }, {}, NEVER_CANCELLED),
    );
    const gone = new Set(index.compactions.flatMap((each) => each.gone.results));
    const facts = (of: TranscriptIndex, threadId: string) =>
      of.results
        .filter((result) => result.threadId === threadId && !(of === index && gone.has(result.index)))
        .map(({ callId, tool, state, size, orphan }) => JSON.stringify([callId, tool, state, size, orphan]))
        .sort();
    for (const { id } of exported.threads) expect(facts(index, id), id).toEqual(facts(exported, id));
    expect(exported.threads.length).toBeGreaterThan(10);
  });
});

describe.skipIf(!hasCorpus)("an April state.db of the corpus (schema 6)", () => {
  it("holds what the gateway files of its sessions hold, with one sum per session", async () => {
    const database = await open(corpusPath("hermes", "home-2026-04", "state.db"));
    const index = await collect(readDatabase(database, ports, NEVER_CANCELLED));
    database.close();
    expect(index.threads.map(({ id, kind, usage }) => [id, kind, usage?.length])).toEqual([
      ["20260406_091200_4e3bbf37", "main", 1],
      ["20260410_203305_f8aa453d", "main", 1],
    ]);
    for (const { id } of index.threads) {
      const source = await nodeFiles.open(corpusPath("hermes", "home-2026-04", "sessions", `${id}.jsonl`));
      const gateway = await collect(
        readTranscript(source, { utf8: nodeUtf8, unpacker: nodeUnpacker }, {}, NEVER_CANCELLED),
      );
      const facts = ({ results }: TranscriptIndex) =>
        results.filter(({ threadId }) => threadId === id).map(({ callId, state, size }) => [callId, state, size]);
      expect(facts(index)).toEqual(facts(gateway));
    }
  });
});
