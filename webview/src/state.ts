import type { Events, FileStatus, FullState, ResultRow } from "../../extension/src/protocol/webview";
import type { EventMessage } from "./rpc";

/** What the host has said so far; null until its first full state. */
export type Model = FullState | null;

/** The next model. `select/row` and `search/hits` change no data, so they are not handled here. Before the first full state, increments have nothing to add to. */
export function reduce(model: Model, message: EventMessage): Model {
  if (message.e === "state/full") {
    return message.body;
  }
  if (model === null) {
    return null;
  }
  switch (message.e) {
    case "state/append":
      return append(model, message.body);
    case "state/update": {
      const { rows, rowCount, header, ...rest } = message.body;
      const kept = model.rows.every((row) => row.index < rowCount)
        ? model.rows
        : model.rows.filter((row) => row.index < rowCount);
      return { ...model, ...rest, header: header ?? model.header, rows: withRows(kept, rows) };
    }
    case "state/live":
      return { ...model, live: message.body.live };
    case "state/phase":
      return {
        ...model,
        phase: message.body.phase,
        error: message.body.error,
        header: message.body.header ?? model.header,
        problemsOmitted: message.body.problemsOmitted,
        progress: message.body.phase === "reading" ? model.progress : null,
      };
    case "files/status":
      return { ...model, rows: withFileStatus(model.rows, message.body) };
    case "search/hits":
    case "select/row":
      return model;
  }
}

function append(model: FullState, added: Events["state/append"]): FullState {
  const threads = new Map(model.threads.map((thread) => [thread.id, thread]));
  for (const thread of added.threads) {
    threads.set(thread.id, thread); // a thread met again brings newer totals
  }
  return {
    ...model,
    header: added.header ?? model.header,
    threads: [...threads.values()],
    rows: withRows(model.rows, added.rows),
    problems: added.problems.length === 0 ? model.problems : [...model.problems, ...added.problems],
    progress: added.progress,
  };
}

/** Adds rows; one whose index is already there replaces it in place. */
function withRows(rows: readonly ResultRow[], added: readonly ResultRow[]): readonly ResultRow[] {
  if (added.length === 0) {
    return rows;
  }
  const fresh = new Map(added.map((row) => [row.index, row]));
  const kept = rows.map((row) => {
    const newer = fresh.get(row.index);
    return newer !== undefined && fresh.delete(row.index) ? newer : row;
  });
  return [...kept, ...fresh.values()];
}

function withFileStatus(
  rows: readonly ResultRow[],
  updates: readonly (readonly [number, FileStatus])[],
): readonly ResultRow[] {
  if (updates.length === 0) {
    return rows;
  }
  const next = new Map(updates);
  return rows.map((row) => {
    const file = next.get(row.index);
    return file === undefined || file === row.file ? row : { ...row, file };
  });
}
