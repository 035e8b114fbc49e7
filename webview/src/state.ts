import type { Events, FullState } from "../../extension/src/protocol/webview";
import type { EventMessage } from "./rpc";

/** What the host has said so far; null until its first full state. */
export type Model = FullState | null;

/** The next model. `select/row`, `search/hits` and those of the what-if tab change no data, so they are not handled here. Before the first full state, increments have nothing to add to. */
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
      const { header, ...rest } = message.body;
      return { ...model, ...rest, header: header ?? model.header };
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
    case "rows/changed":
      return { ...model, rows: message.body };
    case "search/hits":
    case "select/row":
    case "select/thread":
    case "whatIf/progress":
    case "whatIf/stale":
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
    rows: added.rows,
    problems: added.problems.length === 0 ? model.problems : [...model.problems, ...added.problems],
    progress: added.progress,
  };
}
