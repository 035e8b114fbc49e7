import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskSpans } from "../../../extension/src/core/secrets/mask";
import { findSecrets } from "../../../extension/src/node/secretRules";
import { findInWindows, secretFinder } from "../../../extension/src/node/secrets";
import { Random } from "../../oracle/random";
import { CONTEXTS, TOKEN_KINDS } from "./tokens";

const noPause = async (): Promise<void> => undefined;

/** Secrets in their contexts, with plain text between them. */
function mixed(random: Random, pieces: number): string {
  const contexts = Object.values(CONTEXTS);
  return random.repeat(pieces, pieces, () => {
    const kind = random.pick(TOKEN_KINDS);
    return random.pick(contexts)(kind.key, kind.make(random).text) + random.repeat(0, 60, () => "some words, ");
  });
}

describe("the finder", () => {
  it("masks the value, not the name before it", async () => {
    const secret = "abcdEFGH0123".padEnd(40, "x/Y");
    const text = `AWS_SECRET_ACCESS_KEY = "${secret}"`;
    const [span, ...more] = await secretFinder().find(text);
    expect(more).toEqual([]);
    expect(text.slice(span?.start, span?.end)).toBe(secret);
    const npmrc = "//registry.example.net/:_authToken=0f1e2d3c-aaaa-bbbb\nother=1";
    expect((await secretFinder().find(npmrc)).map(({ start, end }) => npmrc.slice(start, end))).toEqual([
      "0f1e2d3c-aaaa-bbbb",
    ]);
  });

  it("is not switched off by a comment in the text", async () => {
    const token = `gh${"p_"}${"a1B2".repeat(9)}`;
    const text = `// secretlint-disable\n${token} // secretlint-disable-line\n`;
    expect(await secretFinder().find(text)).toHaveLength(1);
  });

  it("ends a database's URL where a text around it goes on", async () => {
    const text = '{"url":"postgres://app:hunter22x@db.internal/app","name":"kept"}';
    const spans = await secretFinder().find(text);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(["postgres://app:hunter22x@db.internal/app"]);
  });

  it("leaves JSON what it is, whatever it takes for a secret in it", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "https://",
        "postgres://localhost",
        "mysql://u:",
        ":longpass@host",
        "@",
        ":x-oauth-basic@github.com/",
        "_authToken=",
        "xoxb-1-",
      ),
      fc.constantFrom(
        "AWS_SECRET_ACCESS_KEY=",
        "a".repeat(40),
        "\n",
        "\\",
        '"',
        "'",
        "npm_",
        "pm_",
        " ",
        "host.example.net",
        "-----BEGIN PRIVATE KEY-----",
      ),
      fc.nat(20).map((seed) => {
        const random = new Random(seed);
        return random.pick(TOKEN_KINDS).make(random).text;
      }),
    );
    const texts = fc.array(
      fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("")),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (lines, nested) => {
        const inner = JSON.stringify(Object.fromEntries(lines.map((line, at) => [`k${at}`, line])));
        const written = nested ? JSON.stringify({ output: inner }) : inner;
        const masked = JSON.parse(maskSpans(written, findSecrets(written)));
        expect(Object.keys(nested ? JSON.parse(masked.output) : masked)).toHaveLength(lines.length);
      }),
      { numRuns: 1500 },
    );
  });

  it("finds in windows what it finds in the whole, wherever they end", async () => {
    const random = new Random(7);
    for (let round = 0; round < 12; round++) {
      const text = mixed(random, 40);
      const whole = findSecrets(text);
      expect(whole.length).toBeGreaterThan(5);
      // The overlap takes the longest secret here.
      for (const units of [9000, 9_973, 14_000])
        expect(await findInWindows(text, findSecrets, { units, overlap: 6000 }, noPause)).toEqual(whole);
    }
  });

  it("follows a chain that no window holds", async () => {
    const chain = `xo${"xb-"}${"a1b2-".repeat(20_000)}end`;
    const text = `before ${chain} after`;
    const found = await findInWindows(text, findSecrets, { units: 4096, overlap: 1024 }, noPause);
    expect(found).toEqual([{ start: 7, end: 7 + chain.length, rule: "slack" }]);
  });

  it("lets others have their turn while it looks at a long text", async () => {
    let turns = 0;
    const text = "plain words ".repeat(100_000);
    const timer = setInterval(() => turns++, 0);
    await secretFinder().find(text);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

/** Texts that keep an expression busy: each begins what a rule looks for, and does not end it. */
const HOSTILE: Readonly<Record<string, string>> = {
  "scheme after scheme": "https://",
  "user after user": "https://a:",
  "half a basic auth": `http://a:b@${".".repeat(256)}`,
  "SendGrid's underscores": `SG.a.${"_".repeat(300)}`,
  "a key without an end": `-----BEGIN PRIVATE KEY-----${"a".repeat(9999)}`,
  "blanks after a name": `SECRET_ACCESS_KEY${" ".repeat(5000)}=\n`,
  "tokens in a row": `npm_${"a".repeat(36)} `,
  "database URLs in a row": "postgres://a:abcde@h ",
  "a chain that fails": `xoxb-${"a-".repeat(200)}_`,
  "secrets that hide each other": `glc_${"a".repeat(32)}=gh${"p_"}${"b".repeat(36)}`,
  backslashes: "\\",
  "escaped backslashes": "\\\\n",
  "escapes of escapes": "\\u005cu005c",
};

describe("a hostile text", () => {
  it.each(Object.entries(HOSTILE))("of %s costs what its length asks for", (_name, piece) => {
    const text = piece.repeat(Math.ceil((1 << 18) / piece.length));
    const begun = performance.now();
    findSecrets(text);
    // Measured at most 0.2 s; whatever grows with the square of the length takes minutes.
    expect(performance.now() - begun).toBeLessThan(8000);
  });
});
