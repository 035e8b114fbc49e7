import type { SecretFinder } from "../../core/ports";
import { peekFile } from "../../node/peekFile";
import { readDetails, type SessionDetails } from "../../node/sessions/sessionDetails";
import type { Glance, Overview } from "../../protocol/webview";
import type { InspectorSession } from "../views/inspectorSession";
import { fillOf } from "../views/sessionWords";
import { type Fill, windowFor } from "./gauge";

/** What is asked of an open transcript. */
export type GlancedAt = Pick<InspectorSession, "path" | "phase" | "isDatabase" | "full" | "overview">;

/** How full the context of an open transcript is: from the whole of it once it was read, until then from its end. Undefined: it states no usage. */
export async function sessionFill(session: GlancedAt): Promise<Fill | undefined> {
  return fillWith(session, await detailsOf(session, undefined), await overviewOf(session));
}

/** What a page says above everything else. @param secrets finds what is masked in the title */
export async function sessionGlance(session: GlancedAt, secrets: SecretFinder): Promise<Glance> {
  const details = await detailsOf(session, secrets);
  const overview = await overviewOf(session);
  const window = fillWith(session, details, overview)?.window ?? null;
  const windows = (overview?.threads ?? []).flatMap(({ id, kind, model, measuredTokens }) => {
    const stated = kind === "main" ? details?.tail?.window : undefined;
    const own = windowFor({ stated, setting: undefined, model: model ?? undefined }, measuredTokens);
    return own === undefined ? [] : [{ ...own, thread: id }];
  });
  return { title: details?.title ?? null, window, windows };
}

async function detailsOf(
  { isDatabase, path }: GlancedAt,
  secrets: SecretFinder | undefined,
): Promise<SessionDetails | undefined> {
  return isDatabase ? undefined : readDetails(path, peekFile, secrets);
}

/** Undefined until the whole transcript was read. */
async function overviewOf(session: GlancedAt): Promise<Overview | undefined> {
  return session.phase === "done" ? session.overview(null) : undefined;
}

function fillWith(
  session: GlancedAt,
  details: SessionDetails | undefined,
  overview: Overview | undefined,
): Fill | undefined {
  if (overview === undefined) return fillOf(details);
  const { header } = session.full();
  const tokens = header?.measuredTokens ?? null;
  // The thread whose tokens these are; each session of a database may have a model of its own.
  const measured = overview.threads.findLast(
    ({ kind, measuredTokens }) => kind === "main" && measuredTokens !== null && measuredTokens === tokens,
  );
  const model = (measured ?? overview.threads.find(({ id }) => id === overview.thread))?.model ?? header?.model;
  const statesUsage = overview.threads.some(({ callsWithUsage }) => callsWithUsage > 0);
  if (tokens === null && !statesUsage) return undefined;
  return {
    tokens,
    window: windowFor({ stated: details?.tail?.window, setting: undefined, model: model ?? undefined }, tokens),
  };
}
