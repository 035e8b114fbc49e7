import { basename, extname } from "node:path";
import type { Thread } from "../../core/model/transcript";
import { labelText } from "../../core/util/labelText";
import type { SessionDetails } from "../../node/sessions/sessionDetails";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { Trouble } from "../../node/sessions/walk";
import { fillWords } from "../sessions/contextStatus";
import { type Fill, gauge, windowFor } from "../sessions/gauge";
import type { Moments } from "./moments";
import type { Numbers } from "./numbers";
import { shortLabel } from "./sessionResults";

/** What the tree and the search say about a session. */
export interface SessionText {
  readonly label: string;
  readonly description: string;
  /** One fact a line. */
  readonly tooltip: string;
  /** For screen readers, which cannot make anything of a gauge. */
  readonly spoken: string;
}

export interface Words {
  readonly numbers: Numbers;
  readonly moments: Moments;
}

/** How full the context of a session is, as far as the end of its file says. */
export function fillOf(details: SessionDetails | undefined): Fill | undefined {
  const tail = details?.tail;
  if (details === undefined || tail === undefined) return undefined;
  const { tokens, window } = tail;
  const model = tail.model ?? details.model;
  return { tokens, window: windowFor({ stated: window, setting: undefined, model }, tokens) };
}

/** @param byName the file's name says more than its title, because people gave it */
export function sessionText(
  found: FoundSession,
  details: SessionDetails | undefined,
  words: Words,
  byName = false,
): SessionText {
  const { numbers, moments } = words;
  const title = byName ? undefined : details?.title;
  const label = labelText(title ?? shortLabel(found.label));
  // Two files of one session begin alike.
  const apart =
    found.isDatabase === true
      ? basename(found.place)
      : title !== undefined && found.isTwin === true
        ? extname(found.path)
        : "";
  const when = moments.short(found.mtimeMs);
  const fill = fillOf(details);
  const shown = fill === undefined ? "" : gauge(fill);
  const project = details?.project ?? found.project;
  const facts = [
    ...(details?.title === undefined ? [] : [labelText(details.title)]),
    labelText(found.path),
    ...(project === undefined ? [] : [`Project: ${labelText(project)}`]),
    ...(details?.model === undefined ? [] : [`Model: ${labelText(details.model)}`]),
    ...(fill === undefined ? [] : [fillWords(fill, numbers)]),
    `Last written: ${moments.long(found.mtimeMs)}`,
    numbers.of(found.bytes, "byte"),
  ];
  return {
    label,
    description: `${apart === "" ? "" : `${apart} · `}${when} · ${shown === "" ? numbers.bytes(found.bytes) : shown}`,
    tooltip: facts.join("\n"),
    spoken: [label, when, ...(fill === undefined ? [numbers.bytes(found.bytes)] : [fillWords(fill, numbers)])].join(
      ", ",
    ),
  };
}

/** A session inside a database. */
export function threadText(thread: Thread, words: Words): SessionText {
  const { moments } = words;
  const { startedAt } = thread;
  const [title, id] = [labelText(thread.title), labelText(thread.id)];
  const shown = (text: string | undefined): string | undefined => (text === undefined ? undefined : labelText(text));
  const [model, project, source] = [shown(thread.model), shown(thread.project), shown(thread.source)];
  const began = startedAt === undefined ? Number.NaN : Date.parse(startedAt);
  const when = Number.isNaN(began) ? undefined : moments.short(began);
  const facts = [
    title,
    ...(title === id ? [] : [id]),
    ...(project === undefined ? [] : [`Project: ${project}`]),
    ...(model === undefined ? [] : [`Model: ${model}`]),
    ...(source === undefined ? [] : [`Came from: ${source}`]),
    ...(Number.isNaN(began) ? [] : [`Begun: ${moments.long(began)}`]),
    ...(thread.kind === "subagent" ? ["Sub-agent of another session"] : []),
  ];
  const description = [when, model].filter((part) => part !== undefined).join(" · ");
  return { label: title, description, tooltip: facts.join("\n"), spoken: [title, description].join(", ") };
}

/** What is wrong with a folder, and what to do. */
export function troubleText({ code }: Trouble): string {
  switch (code) {
    case "cut":
      return "has more entries than are looked at; the rest is not listed";
    case "EACCES":
    case "EPERM":
      return "may not be read by this user; check its permissions";
    case "ELOOP":
      return "is a link that leads in a circle";
    default:
      return `could not be listed (${code})`;
  }
}
