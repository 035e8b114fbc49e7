import type { RecordPlace } from "../../model/transcript";
import type { Database, Utf8 } from "../../ports";
import { parseJson } from "../../util/parseJson";
import { isObject, own } from "../json";
import { isDatabaseError } from "./problems";
import { describeRow } from "./rowBody";

interface Part {
  readonly id: string;
  readonly row: number;
}

/**
 * Records of a database as JSON text, each with all that was measured for it. opencode's first version keeps the parts of
 * a message as rows of their own (anomalyco/opencode packages/core/src/session/sql.ts): they stand under
 * `parts`, in the order of their ids, as in an export. Any other record is its row.
 */
export class WholeRecords {
  private parts: ReadonlyMap<string, readonly Part[]> | undefined;

  constructor(
    private readonly database: Database,
    private readonly ports: { readonly utf8: Utf8 },
  ) {}

  /** Undefined = the row is not there any more, or cannot be read. Blocks. */
  read(place: RecordPlace): string | undefined {
    const row = describeRow(this.database, place, this.ports);
    if (!row.ok) return undefined;
    if (place.row?.table !== "message") return row.value;
    const message = parseJson(row.value);
    const id = isObject(message) ? own(message, "id") : undefined;
    const parts = typeof id === "string" ? this.partsOf(id) : [];
    if (!isObject(message) || parts.length === 0) return row.value;
    return JSON.stringify({ ...message, parts: parts.flatMap((part) => this.part(part)) });
  }

  private part({ id, row }: Part): readonly unknown[] {
    const place = { line: row, start: 0, end: 0, row: { table: "part", id: row } };
    const described = describeRow(this.database, place, this.ports);
    const value = described.ok ? parseJson(described.value) : undefined;
    const data = isObject(value) ? own(value, "data") : undefined;
    return isObject(data) ? [{ ...data, id }] : [];
  }

  /** All are looked up once: the table has no index that is sure to be there. */
  private partsOf(message: string): readonly Part[] {
    this.parts ??= this.listParts();
    return this.parts.get(message) ?? [];
  }

  private listParts(): ReadonlyMap<string, readonly Part[]> {
    const parts = new Map<string, Part[]>();
    const columns = ["id", "message_id"];
    const table = this.database.tables().find(({ name }) => name === "part");
    if (table === undefined || columns.some((column) => !table.columns.includes(column))) return parts;
    try {
      for (const { id: row, values } of this.database.rows({ table: "part", columns })) {
        const [id, message] = values;
        if (typeof id !== "string" || typeof message !== "string") continue;
        const known = parts.get(message);
        if (known === undefined) parts.set(message, [{ id, row }]);
        else known.push({ id, row });
      }
    } catch (error) {
      // A damaged page: messages whose parts lie behind it stay without them, and their text is then not found.
      if (!isDatabaseError(error)) throw error;
    }
    for (const each of parts.values()) each.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    return parts;
  }
}
