import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SecretLintRuleReportDescriptor, SecretLintSourceCode } from "@secretlint/types";
import type { SecretSpan } from "../core/ports";
import { joined } from "../core/secrets/knownSecrets";
import { beginsWithMask, type Mask, maskedPart } from "../core/secrets/mask";
import { unescaped } from "../core/secrets/unescaped";

/**
 * Rules of the preset that are not asked: `filter-comments` would let a transcript switch the others off by a comment, and `gcp`
 * judges whole files by their name (a private key inside one is found by `privatekey`).
 */
const LEFT_OUT = new Set(["filter-comments", "gcp"]);

/** The rule for npm looks for OAuth tokens only in a `package.json`, for `_authToken=` only in a `.npmrc`. */
const FILE_NAMES = new Map([["npm", ["package.json", ".npmrc"]]]);

/** AWS access key ids are asked for by a switch, which brings account ids along. These are no secrets, and any twelve digits look like one. */
const WITH_IDS = { enableIDScanRule: true };
/** How the ids begin that the rule knows. Only where one stands they are asked for, since looking for account ids takes longest of all. */
const ID_BEGINS = ["A3T", "AKIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ASIA"];
const LEFT_OUT_MESSAGES = new Set(["AWSAccountID"]);

/** What stands before the value where a rule reports a range that begins earlier. */
const LEADS: Readonly<Record<string, string>> = { PackageJSON_xOauthToken: "://", Npmrc_authToken: "=" };

/** Characters that end a URL wherever it stands (RFC 3986, section 2). */
const NOT_IN_URL = /[\s"<>\\^`{|}]/;
/** An npm token behind the quote that it may have; the rule takes the rest of the line. */
const NPM_TOKEN = /^((?:\\*["'])?)([\w=+/.-]*)/;
/** What ends the token before `:x-oauth-basic` on its left; the rule takes what stands before that on the line too. */
const NOT_IN_OAUTH_TOKEN = /[\s"'`<>\\/@]/;

/** Texts in texts in texts: JSON in the output of a tool in a record. */
const MAX_ESCAPES = 3;

/** Secrets that hide each other, one after another. */
const MAX_ROUNDS = 4;

const PREFIX = "@secretlint/secretlint-rule-";

type Rule = (typeof rules)[number];

/**
 * Secrets in a text. Asks the rules themselves: `@secretlint/core` keeps an entry for every run as long as the process lives, and
 * compares all findings with each other.
 */
export function findSecrets(text: string): readonly SecretSpan[] {
  let found = spansIn(text);
  // A secret may hide another one beside it, whose end is no end while letters follow. A mask ends it.
  for (let round = 0, more = found.length > 0; more && round < MAX_ROUNDS; round++) {
    const { text: masked, masks } = maskedPart(text, found, 0, text.length);
    const beside = spansIn(masked).map(({ start, end, rule }) => ({
      start: beforeMasks(start, masks),
      end: beforeMasks(end, masks),
      rule,
    }));
    more = beside.length > 0;
    if (more) found = joined([...found, ...beside]);
  }
  return found;
}

/** Where an offset of a masked text stood in the text itself; within a mask, at its secret's end. */
function beforeMasks(offset: number, masks: readonly Mask[]): number {
  const last = masks.findLast(({ start }) => start < offset);
  return last === undefined ? offset : last.at + last.units + Math.max(0, offset - last.end);
}

/** Secrets in a text, and in what it quotes. */
function spansIn(text: string): readonly SecretSpan[] {
  const found = [...askAll(text)];
  // Where a text quotes another one, a letter of an escape stands before a token, and line ends in a key are two characters.
  let place = (offset: number): number => offset;
  let inner = unescaped(text);
  for (let level = 0; inner !== undefined && level < MAX_ESCAPES; level++) {
    const { at, text: meant } = inner;
    const outer = place;
    place = (offset) => outer(at(offset));
    for (const { start, end, rule } of askAll(meant)) found.push({ start: place(start), end: place(end), rule });
    inner = unescaped(meant);
  }
  return joined(found.map((span) => ({ ...span, start: wholeStart(text, span.start) })));
}

/** A mask must not leave the backslashes of an escape behind, however often it is quoted, whose letter a rule took for a token's first. */
function wholeStart(text: string, start: number): number {
  let first = start;
  while (text[first - 1] === "\\") first--;
  return first;
}

function askAll(text: string): readonly SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const rule of rules) {
    const name = rule.meta.id.replace(PREFIX, "");
    if (LEFT_OUT.has(name)) continue;
    for (const fileName of FILE_NAMES.get(name) ?? [""]) ask(rule, name, sourceOf(text, fileName), found);
  }
  return found;
}

function ask(rule: Rule, name: string, source: SecretLintSourceCode, into: SecretSpan[]): void {
  const handler = rule.create(
    {
      sharedOptions: {},
      createTranslator: () => (messageId, data) => ({ message: "", messageId: String(messageId), data }),
      report: (report) => {
        const range = rangeOf(source.content, report);
        if (range !== undefined) into.push({ ...range, rule: name });
      },
      ignore: () => undefined,
    },
    name === "aws" && ID_BEGINS.some((begin) => source.content.includes(begin)) ? WITH_IDS : {},
  );
  handler.file?.(source);
}

/** The secret's own range; undefined where what was found is none. */
function rangeOf(text: string, report: SecretLintRuleReportDescriptor): { start: number; end: number } | undefined {
  const { messageId, data } = report.message;
  if (LEFT_OUT_MESSAGES.has(messageId)) return undefined;
  // The value is the first of a report's details in every rule of the preset.
  const [value] = Object.values(data ?? {});
  if (typeof value !== "string" || value === "") return { start: report.range[0], end: report.range[1] };
  const lead = LEADS[messageId];
  const from = lead === undefined ? report.range[0] : text.indexOf(lead, report.range[0]) + lead.length;
  const start = text.indexOf(value, from);
  const [first, last] = secretPart(value, messageId);
  return first >= last || beginsWithMask(value.slice(first, last))
    ? undefined
    : { start: start + first, end: start + last };
}

/**
 * Half-open range of the secret in what a rule took; empty where it is none. Some rules take what stands around it as well, which in
 * JSON can be the end of a text and the beginning of the next.
 */
function secretPart(value: string, messageId: string): readonly [first: number, last: number] {
  if (messageId === "Npmrc_authToken") {
    const [, quote = "", token = ""] = NPM_TOKEN.exec(value) ?? [];
    return beginsWithMask(value) ? [0, 0] : [quote.length, quote.length + token.length];
  }
  if (messageId === "PackageJSON_xOauthToken") {
    let first = value.length;
    while (first > 0 && !NOT_IN_OAUTH_TOKEN.test(value.charAt(first - 1))) first--;
    // The end of a mask.
    return value.endsWith("]") ? [0, 0] : [first, value.length];
  }
  if (!messageId.endsWith("Connection")) return [0, value.length];
  const host = value.indexOf("@") + 1;
  if (value.slice(0, host).includes('"')) return [0, 0];
  const rest = value.slice(host).search(NOT_IN_URL);
  return [0, rest < 0 ? value.length : host + rest];
}

/** A text as rules see it. Places in lines are asked for by no rule that is used here. */
function sourceOf(content: string, filePath: string): SecretLintSourceCode {
  return {
    content,
    filePath,
    physicalFilePath: undefined,
    contentType: "text",
    ext: "",
    hasBOM: false,
    getFilePath: () => filePath,
    getPhysicalFilePath: () => undefined,
    locationToRange: notOffered,
    rangeToLocation: notOffered,
    positionToIndex: notOffered,
    indexToPosition: notOffered,
  };
}

function notOffered(): never {
  throw new Error("A rule asked for a line number.");
}
