/** Handles of a transcript: what page, extension host and the thread that finds them ask of each other. */
import type { HandlesAsked, HandlesPage } from "../core/model/handlesPage";

/** Handles that the page asks for at once, and most that it may. */
export const HANDLE_PAGE = { rows: 50, mostRows: 200 } as const;

export interface HandleCalls {
  handles: { in: HandlesAsked; out: HandlesPage };
}
