import type { Message, Role } from "../../model/transcript";
import { NumberColumn } from "./columns";
import { placeAt, placeColumns, setPlace } from "./places";
import type { SharedTexts } from "./resultRows";

/** Roles by the number that stands for them in the column `role`. */
export const ROLES: readonly Role[] = ["system", "user", "assistant", "tool", "other"];
const ROLE_NUMBERS = new Map(ROLES.map((role, number) => [role, number]));

/** Columns of the messages, in the order in which they were first told. */
export class MessageRows {
  readonly columns = {
    ...placeColumns(),
    thread: new NumberColumn(0),
    index: new NumberColumn(),
    role: new NumberColumn(0),
    turn: new NumberColumn(),
    codePoints: new NumberColumn(0),
    utf16: new NumberColumn(0),
    bytes: new NumberColumn(0),
    argsCodePoints: new NumberColumn(0),
    argsUtf16: new NumberColumn(0),
    argsBytes: new NumberColumn(0),
    images: new NumberColumn(0),
  };

  constructor(private readonly shared: SharedTexts) {}

  get rows(): number {
    return this.columns.index.rows;
  }

  /** The last row with that index in that thread, or -1. */
  findLast(threadId: string, index: number): number {
    const thread = this.shared.names.number(threadId);
    const { columns } = this;
    for (let row = this.rows - 1; row >= 0; row--) {
      if (columns.index.at(row) === index && columns.thread.at(row) === thread) return row;
    }
    return -1;
  }

  truncate(rows: number): void {
    for (const column of Object.values(this.columns)) column.truncate(rows);
  }

  set(row: number, message: Message): void {
    const { columns } = this;
    const { names } = this.shared;
    setPlace(columns, row, message.place, names);
    columns.thread.set(row, names.number(message.threadId));
    columns.index.set(row, message.index);
    columns.role.set(row, ROLE_NUMBERS.get(message.role) ?? ROLES.length - 1);
    columns.turn.set(row, message.turn);
    columns.codePoints.set(row, message.size.codePoints);
    columns.utf16.set(row, message.size.utf16);
    columns.bytes.set(row, message.size.bytes);
    columns.argsCodePoints.set(row, message.args.codePoints);
    columns.argsUtf16.set(row, message.args.utf16);
    columns.argsBytes.set(row, message.args.bytes);
    columns.images.set(row, message.images);
  }

  get(row: number): Message | undefined {
    const { columns } = this;
    const index = columns.index.get(row);
    if (index === undefined) return undefined;
    const { names } = this.shared;
    return {
      index,
      threadId: names.get(columns.thread.at(row)) ?? "",
      role: ROLES[columns.role.at(row)] ?? "other",
      turn: columns.turn.get(row),
      size: { codePoints: columns.codePoints.at(row), utf16: columns.utf16.at(row), bytes: columns.bytes.at(row) },
      args: {
        codePoints: columns.argsCodePoints.at(row),
        utf16: columns.argsUtf16.at(row),
        bytes: columns.argsBytes.at(row),
      },
      images: columns.images.at(row),
      place: placeAt(columns, row, names),
    };
  }
}
