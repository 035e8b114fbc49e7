import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../../extension/src/node/secretRules";
import { corpusPath, hasCorpus } from "../../corpus";

interface Redaction {
  readonly text: string;
  readonly output: string;
}

/** Why we mask something else than OpenMausBot does: it goes by its own expressions and names, we by the shapes that issuers document. */
const SHORTER = "no whole token of that issuer: its real ones are longer, or have a sign inside";
const BY_NAME = "found by the name before it; no kept rule goes by names";
const NO_RULE = "no kept rule for this kind";
const WHOLE_URL = "we mask the whole URL, not its password alone";
const NO_KEY = "no key: its Base64 is shorter than any, and does not begin like one";

const DIFFERENT: Readonly<Record<string, string>> = {
  "sk-ant-FAKE0123456789abcdefghijklmnop": SHORTER,
  "sk-FAKE0123456789ab": SHORTER,
  "sk-proj-FAKE0123456789abcdef tail": SHORTER,
  "sk-FAKE0123456789abcdef😀": SHORTER,
  gsk_FAKE0123456789abcdefghijklmnopqrstuvwxyz: SHORTER,
  hf_FAKE0123456789abcdefghijklmnop: SHORTER,
  ghs_FAKE0123456789abcdef: SHORTER,
  github_pat_FAKE0123456789abcdefgh: SHORTER,
  "xoxb-FAKE0123456789abcdefghij": SHORTER,
  npm_FAKE0123456789abcdef: SHORTER,
  "xai-FAKE0123456789abcdef": NO_RULE,
  AIzaFAKE0123456789abcdefghijklmnop: NO_RULE,
  "Bearer FAKE01234567": BY_NAME,
  "Authorization: Bearer FAKE0123456789abcdef": BY_NAME,
  "api_key=FAKE012345": BY_NAME,
  "API-KEY: 'FAKE012345'": BY_NAME,
  '"token": "FAKE012345"': BY_NAME,
  "MY_SECRET=FAKE0123": BY_NAME,
  "passwords=FAKE01234": BY_NAME,
  "FOO_KEY=x": BY_NAME,
  "xai-key='y'": BY_NAME,
  "--token abc": BY_NAME,
  '--password="p"': BY_NAME,
  "--api-key  v": BY_NAME,
  "secret=FAKE0123 secret=FAKE0123": BY_NAME,
  "access_key:FAKE0123456789abcdef,private_key=FAKE0123456789abcdef": BY_NAME,
  "日本 token=FAKE012345 終": BY_NAME,
  "https://user:pw@host/x": "a password of two characters counts as a placeholder",
  "postgres://u:p%40ss@h:5/db": WHOLE_URL,
  "-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----": NO_KEY,
};

/** What of the text was taken out, half-open. */
function takenOut({ text, output }: Redaction): readonly (readonly [number, number])[] {
  if (text === output) return [];
  const spans: [number, number][] = [];
  let at = 0;
  let from = 0;
  for (const { 0: sign, 1: units, index } of output.matchAll(/«redacted (\d+) chars»/g)) {
    at += index - from;
    spans.push([at, at + Number(units)]);
    at += Number(units);
    from = index + sign.length;
  }
  return spans;
}

describe.skipIf(!hasCorpus)("OpenMausBot's redaction", () => {
  const cases: readonly Redaction[] = hasCorpus
    ? JSON.parse(readFileSync(corpusPath("openmausbot", "oracle.json"), "utf8")).redaction
    : [];

  it("agrees with ours but for what is listed with its reason", () => {
    expect(cases).toHaveLength(52);
    const differ = cases.filter((one) => {
      const ours = findSecrets(one.text).map(({ start, end }) => [start, end]);
      return JSON.stringify(ours) !== JSON.stringify(takenOut(one));
    });
    expect(differ.map(({ text }) => text).sort()).toEqual(Object.keys(DIFFERENT).sort());
  });
});
