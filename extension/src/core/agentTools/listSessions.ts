import { notesOf, pageAnswer, shownTexts } from "./answers";
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
  return pageAnswer("session", { rows, offset: asked.offset, total }, (place, shown) => ({
    ...place,
    numbers: NUMBERS,
    sessions: shown,
    notes,
  }));
}
