import type { SecretFinder } from "../../core/ports";
import { peekFile } from "../../node/peekFile";
import { readDetails, type SessionDetails } from "../../node/sessions/sessionDetails";
import type { Glance } from "../../protocol/webview";
import type { InspectorSession } from "../views/inspectorSession";
import { fillOf } from "../views/sessionWords";
import { type Fill, windowFor } from "./gauge";

/** What is asked of an open transcript. */
export type GlancedAt = Pick<InspectorSession, "path" | "phase" | "isDatabase" | "full" | "overview">;

/** How full the context of an open transcript is: from the whole of it once it was read, until then from its end. Undefined: it states no usage. */
export async function sessionFill(session: GlancedAt): Promise<Fill | undefined> {
  return fillWith(session, await detailsOf(session, undefined));
}

/** What a page says above everything else. @param secrets finds what is masked in the title */
export async function sessionGlance(session: GlancedAt, secrets: SecretFinder): Promise<Glance> {
  const details = await detailsOf(session, secrets);
  const window = (await fillWith(session, details))?.window ?? null;
  return { title: details?.title ?? null, window };
}

async function detailsOf(
  { isDatabase, path }: GlancedAt,
  secrets: SecretFinder | undefined,
): Promise<SessionDetails | undefined> {
  return isDatabase ? undefined : readDetails(path, peekFile, secrets);
}

async function fillWith(session: GlancedAt, details: SessionDetails | undefined): Promise<Fill | undefined> {
  if (session.phase !== "done") return fillOf(details);
  const { header } = session.full();
  const overview = await session.overview(null);
  const model = overview.threads.find(({ id }) => id === overview.thread)?.model ?? header?.model ?? undefined;
  const tokens = header?.measuredTokens ?? null;
  const statesUsage = overview.threads.some(({ callsWithUsage }) => callsWithUsage > 0);
  if (tokens === null && !statesUsage) return undefined;
  return { tokens, window: windowFor({ stated: details?.tail?.window, setting: undefined, model }, tokens) };
}
