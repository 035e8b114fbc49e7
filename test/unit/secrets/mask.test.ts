import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SecretFinder } from "../../../extension/src/core/ports";
import { secretsIn, spansOfKnown } from "../../../extension/src/core/secrets/knownSecrets";
import { maskedPart, maskSign, maskSpans, withoutSecrets } from "../../../extension/src/core/secrets/mask";
import { maskStrings } from "../../../extension/src/core/secrets/maskStrings";
import { unescaped } from "../../../extension/src/core/secrets/unescaped";
import { secretFinder } from "../../../extension/src/node/secrets";
import { Random } from "../../oracle/random";
import { TOKEN_KINDS } from "./tokens";

const finder = secretFinder();
const github = (seed: number): string => {
  const kind = TOKEN_KINDS.find(({ name }) => name === "GitHub, classic");
  if (kind === undefined) throw new Error("no such kind");
  return kind.make(new Random(seed)).text;
};
const TOKEN = github(1);
const SIGN = "[secret: github]";

describe("a mask", () => {
  it("says the kind and nothing of the secret, not even its length", async () => {
    expect(await withoutSecrets(`a ${TOKEN} b`, finder)).toBe(`a ${SIGN} b`);
    expect(maskSign("privatekey")).toBe("[secret: private key]");
  });

  it("tells where it stands and what it stands for", () => {
    const spans = [
      { start: 2, end: 6, rule: "x" },
      { start: 8, end: 12, rule: "y" },
    ];
    expect(maskedPart("..SSSS..TTTT..", spans, 0, 14)).toEqual({
      text: "..[secret: x]..[secret: y]..",
      masks: [
        { start: 2, end: 13, at: 2, units: 4, rule: "x" },
        { start: 15, end: 26, at: 8, units: 4, rule: "y" },
      ],
    });
  });

  it("covers a secret across either end of the part that is shown", () => {
    const spans = [
      { start: 0, end: 4, rule: "x" },
      { start: 8, end: 12, rule: "y" },
      { start: 12, end: 14, rule: "z" },
    ];
    const { text, masks } = maskedPart("SSSS....TTTTUU", spans, 2, 10);
    expect(text).toBe("[secret: x]....[secret: y]");
    expect(masks.map(({ at, units }) => [at, units])).toEqual([
      [0, 2],
      [6, 2],
    ]);
  });

  it("is left alone by a second look, whatever stands around it", async () => {
    const kinds = TOKEN_KINDS.map(({ name }) => name);
    const piece = fc.oneof(
      fc.constantFrom(
        "https://",
        "postgres://",
        "mysql://u",
        ":",
        "@",
        "/",
        " ",
        "\n",
        "\\n",
        '"',
        "_authToken=",
        "sk-",
        "xoxb-",
        "-",
      ),
      fc.constantFrom(
        ":x-oauth-basic@github.com/",
        "AWS_SECRET_ACCESS_KEY=",
        "user",
        "host.example.net",
        ".",
        "a1b2c3d4",
      ),
      fc.tuple(fc.constantFrom(...kinds), fc.nat(50)).map(([name, seed]) => {
        const kind = TOKEN_KINDS.find((one) => one.name === name);
        return kind?.make(new Random(seed)).text ?? "";
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const once = await withoutSecrets(pieces.join(""), finder);
        expect(await withoutSecrets(once, finder)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });
});

describe("a message", () => {
  it("is masked in every text, at any depth, and kept as it is where there is nothing", async () => {
    const message = {
      a: [{ b: `key ${TOKEN}` }, 7, null],
      ranges: new Uint32Array(2),
      c: "nothing to see here",
      d: TOKEN,
    };
    expect(await maskStrings(message, finder)).toEqual({ ...message, a: [{ b: `key ${SIGN}` }, 7, null], d: SIGN });
    const plain = { a: ["nothing to see here"] };
    expect(await maskStrings(plain, finder)).toBe(plain);
  });

  it("is found as much in as in its texts one by one", async () => {
    const part = fc.oneof(
      fc.constantFrom(
        "AWS_SECRET_ACCESS_KEY=",
        "-----BEGIN PRIVATE KEY-----",
        "postgres://user:",
        "longpass@host/",
        "https://user:",
        "xoxb-1-a-",
      ),
      fc.nat(30).map(github),
      fc.constantFrom("A".repeat(40), "MII".padEnd(200, "b"), "-----END PRIVATE KEY-----", "some plain words"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (texts) => {
        const one = await Promise.all(texts.map((text) => withoutSecrets(text, finder)));
        expect(await maskStrings(texts, finder)).toEqual(one);
      }),
      { numRuns: 300 },
    );
  });

  it("is not passed on where it could not be checked", async () => {
    const broken: SecretFinder = { find: () => Promise.reject(new Error("no rules")) };
    await expect(maskStrings({ a: "long enough to be looked at" }, broken)).rejects.toThrow("no rules");
    await expect(withoutSecrets("x", broken)).rejects.toThrow("no rules");
  });
});

describe("pieces of a known secret", () => {
  it("are recognised where a text was cut", async () => {
    const text = `token ${TOKEN} and more`;
    const known = secretsIn(text, await finder.find(text));
    const beginning = `token ${TOKEN.slice(0, 20)}…`;
    expect(maskSpans(beginning, spansOfKnown(beginning, known))).toBe(`token ${SIGN}…`);
    const end = `…${TOKEN.slice(-10)} and more`;
    expect(maskSpans(end, spansOfKnown(end, known))).toBe(`…${SIGN} and more`);
    const whole = `${TOKEN}, ${TOKEN}`;
    expect(maskSpans(whole, spansOfKnown(whole, known))).toBe(`${SIGN}, ${SIGN}`);
    expect(spansOfKnown("token ghp_ and more", known)).toEqual([]);
  });
});

describe("undoing escapes", () => {
  it("is what JSON says, and knows where everything stood", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const written = JSON.stringify(text).slice(1, -1);
        const found = unescaped(written);
        if (found === undefined) expect(written).toBe(text);
        else {
          expect(found.text).toBe(text);
          expect(found.at(text.length)).toBe(written.length);
          // What stands before an offset is what JSON makes of that part alone.
          for (let at = 0; at <= text.length; at += 3)
            expect(JSON.parse(`"${written.slice(0, found.at(at))}"`)).toBe(text.slice(0, at));
        }
      }),
    );
  });

  it("leaves what is no escape", () => {
    expect(unescaped("no\\where \\u12 \\x41 \\")).toBeUndefined();
  });
});
