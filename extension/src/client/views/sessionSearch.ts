import { labelText } from "../../core/util/labelText";
import type { SessionDetails } from "../../node/sessions/sessionDetails";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { NothingFound } from "../prompts";

/** Sessions offered at a time. */
export const MAX_OFFERED = 200;

export interface Searchable {
  readonly found: FoundSession;
  /** In lower case. */
  readonly text: string;
}

/** Everything that a session is found by. */
export function searchText(found: FoundSession, details: SessionDetails | undefined): string {
  const { title, project, model } = details ?? {};
  return [title, found.label, found.project ?? project, model, found.path].join("\n").toLowerCase();
}

/** Sessions in which every word occurs, in the order given, at most `MAX_OFFERED`. */
export function matching<T extends Searchable>(all: readonly T[], words: string): readonly T[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: T[] = [];
  for (const one of all) {
    if (!wanted.every((word) => one.text.includes(word))) continue;
    found.push(one);
    if (found.length >= MAX_OFFERED) break;
  }
  return found;
}

/** What is said when no session fits what was typed, or there is none at all. */
export function nothingFound(typed: string, isTrusted: boolean): NothingFound {
  const words = typed.trim();
  if (words !== "")
    return {
      label: `No session fits “${labelText(words)}”`,
      detail: "Every word must occur in a title, project, model, id or path. Try fewer words.",
    };
  return isTrusted
    ? {
        label: "No session was found",
        detail:
          "None lies in the homes of agents or in the open folders. Open Transcript in Inspector opens any other file.",
      }
    : {
        label: "No session was looked for",
        detail: "This workspace is not trusted. Open Transcript in Inspector opens a file that you choose.",
      };
}
