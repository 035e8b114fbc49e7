import { err, ok } from "../model/problem";
import { WHOLE_UNITS } from "../results/store/boundText";
import { fitted, notesOf, shownTexts } from "./answers";
import type { CallContext } from "./callContext";
import { moment } from "./longText";
import type { Answered, SessionsAsked } from "./ports";

const NUMBERS = {
  fileBytes: "measured",
  modified: "measured",
  contextTokens: "as the transcript states; null = it does not",
} as const;

/** One page of the sessions, as JSON. */
export async function listSessions(asked: SessionsAsked, { ports, turn }: CallContext): Promise<Answered<string>> {
  const page = await ports.listSessions(asked, turn.stop);
  if (!page.ok) return page;
  const { total } = page.value;
  const rows = await shownTexts(
    page.value.sessions.map((session) => ({
      transcript: session.transcript,
      agent: session.agent,
      title: session.title,
      project: session.project,
      model: session.model,
      modified: moment(session.modifiedMs),
      fileBytes: session.bytes,
      contextTokens: session.contextTokens,
      holdsManySessions: session.isDatabase,
    })),
    ports.finder,
  );
  const notes = await shownTexts(notesOf(page.value.notes), ports.finder);
  const answer = fitted(
    rows,
    (shown) => ({
      total,
      offset: asked.offset,
      nextOffset: nextOffset(asked.offset, shown.length, total),
      numbers: NUMBERS,
      sessions: shown,
      notes,
    }),
    WHOLE_UNITS,
  );
  return answer === undefined ? err({ message: tooLong("session", asked.offset) }) : ok(answer);
}

/** Where the list goes on; null at its end. */
export function nextOffset(offset: number, shown: number, total: number): number | null {
  return shown > 0 && offset + shown < total ? offset + shown : null;
}

/** One row alone is more than an answer may hold. */
export function tooLong(what: string, offset: number): string {
  return `The names of the ${what} at offset ${offset} are too long for an answer. Go on with offset ${offset + 1}.`;
}
