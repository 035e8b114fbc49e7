import type { Problem } from "../../model/problem";
import type { Compaction, Thread, TranscriptHeader } from "../../model/transcript";
import type { UsageLedger } from "../../model/usageLedger";
import { readGraph } from "../../util/graph/readGraph";
import { writeGraph } from "../../util/graph/writeGraph";
import type { Part } from "../../util/packed";
import type { LeftBy } from "../leftContext";
import { COLUMN_KINDS } from "./columns";
import type { ColumnSet } from "./places";
import type { TextList } from "./strings";
import { TranscriptTable } from "./transcriptTable";

interface Rest {
  readonly header: TranscriptHeader | undefined;
  readonly threads: Map<string, Thread>;
  readonly compactions: Compaction[];
  readonly problems: Problem[];
  readonly ledger: UsageLedger | undefined;
  readonly exits: LeftBy[];
}

function groups(table: TranscriptTable): readonly (readonly [name: string, columns: ColumnSet])[] {
  const { results, calls, messages } = table;
  return [
    ["results", results.columns],
    ["elsewhere", results.elsewhere],
    ["paths", results.paths.columns],
    ["calls", calls.columns],
    ["messages", messages.columns],
  ];
}

/** A table as parts of a packed form (`core/util/packed`): its own memory, nothing is copied but what is not in columns. */
export function tableParts(table: TranscriptTable): readonly Part[] {
  const parts: Part[] = [];
  for (const [group, columns] of groups(table)) {
    for (const [name, column] of Object.entries(columns)) {
      const { kind, bytes } = column.stored();
      parts.push({ name: `${group}.${name}`, numbers: [COLUMN_KINDS.indexOf(kind), column.rows], bytes });
    }
  }
  const { header, threads, compactions, problems, ledger, exits } = table;
  const rest: Rest = { header, threads, compactions, problems, ledger, exits };
  const written = writeGraph(rest);
  if (!written.ok) throw new Error(`a table holds what cannot be stored: ${written.error}`);
  parts.push(...textParts("names", table.shared.names.list), ...textParts("texts", table.shared.texts));
  parts.push({ name: "rest", numbers: [], bytes: written.value });
  return parts;
}

function textParts(name: string, list: TextList): readonly Part[] {
  const { starts, bytes } = list.stored();
  return [
    { name: `${name}.starts`, numbers: [list.count], bytes: starts },
    { name: `${name}.bytes`, numbers: [], bytes },
  ];
}

/** The table again, over the memory of the parts; undefined when they do not make one. */
export function tableOf(parts: ReadonlyMap<string, Part>): TranscriptTable | undefined {
  const table = new TranscriptTable();
  for (const [group, columns] of groups(table)) {
    for (const [name, column] of Object.entries(columns)) {
      const part = parts.get(`${group}.${name}`);
      const kind = COLUMN_KINDS[part?.numbers[0] ?? -1];
      if (part === undefined || kind === undefined) return undefined;
      if (!column.load(kind, part.numbers[1] ?? 0, part.bytes)) return undefined;
    }
  }
  const { names, texts } = table.shared;
  if (!loadTexts(parts, "names", names.list) || !loadTexts(parts, "texts", texts)) return undefined;
  const rest = readGraph(parts.get("rest")?.bytes ?? new Uint8Array(0));
  if (!rest.ok) return undefined;
  // Written by `tableParts`: the checksum that is looked at before says so.
  Object.assign(table, rest.value as Rest);
  return table;
}

function loadTexts(parts: ReadonlyMap<string, Part>, name: string, list: TextList): boolean {
  const starts = parts.get(`${name}.starts`);
  const bytes = parts.get(`${name}.bytes`);
  if (starts === undefined || bytes === undefined) return false;
  return list.load(starts.numbers[0] ?? 0, starts.bytes, bytes.bytes);
}
