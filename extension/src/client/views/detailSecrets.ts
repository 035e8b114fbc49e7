import { err, ok, type Result } from "../../core/model/problem";
import type { SecretFinder, SecretSpan } from "../../core/ports";
import { SECRET_SLACK_UNITS } from "../../core/secrets/mask";
import { cut, DETAIL_TEXT_LIMIT } from "./detail";

/** Secrets in the part of a text that the detail pane shows, and across its end. */
export async function shownSecrets(text: string, secrets: SecretFinder | undefined): Promise<readonly SecretSpan[]> {
  return secrets === undefined ? [] : secrets.find(text.slice(0, DETAIL_TEXT_LIMIT + SECRET_SLACK_UNITS));
}

/** A secret that the detail pane masks in that text, by where it says it is. The error is a sentence for people. */
export async function secretAt(
  text: string,
  place: { readonly at: number; readonly units: number },
  secrets: SecretFinder | undefined,
): Promise<Result<string, string>> {
  const { at, units } = place;
  const shown = cut(text, DETAIL_TEXT_LIMIT);
  const spans = await shownSecrets(text, secrets);
  // The page can ask for nothing but what is masked.
  if (spans.some(({ start, end }) => start === at && Math.min(end, shown.length) === at + units))
    return ok(shown.slice(at, at + units));
  return err("The transcript changed, and the secret is not there any more. Select the result again.");
}
