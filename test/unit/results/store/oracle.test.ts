import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boundText } from "../../../../extension/src/core/results/store/boundText";
import type { RedactedText } from "../../../../extension/src/core/results/store/redacted";
import { ResultStore } from "../../../../extension/src/core/results/store/resultStore";
import { corpusPath, hasCorpus } from "../../../corpus";

const bounded = async (...asked: Parameters<typeof boundText>) => (await boundText(...asked)).text;

type Parts = readonly (readonly [string, number])[];
interface Sequence {
  readonly label: string;
  readonly durable: boolean;
  readonly start: number;
  readonly ops: readonly Op[];
}
interface OwnerIds {
  readonly botId: string;
  readonly threadId: string;
}
type Op =
  | { readonly op: "advance"; readonly now: number }
  | {
      readonly op: "save";
      readonly owner: OwnerIds;
      readonly parts: Parts;
      readonly truncated?: boolean;
      readonly durable?: boolean;
      readonly saved: number;
      readonly length: number;
      readonly result_truncated: boolean;
      readonly expiresAt: number;
    }
  | {
      readonly op: "read";
      readonly owner: OwnerIds;
      readonly id: number | string;
      readonly offset: number | string;
      readonly result: null | {
        readonly offset: number;
        readonly nextOffset: number;
        readonly length: number;
        readonly truncated: boolean;
        readonly expiresAt: number;
        readonly text: string | { readonly parts: Parts };
      };
    };
interface Bounded {
  readonly parts: Parts;
  readonly length: number;
  readonly save: string;
  readonly save_called_with: null | { readonly length: number; readonly truncated: boolean; readonly tail: string };
  readonly saver_returned: unknown;
  readonly unchanged: boolean;
  readonly prefix_length?: number | null;
  readonly prefix_tail?: string;
  readonly notice?: string;
  readonly redacted_length: number;
}

const textOf = (parts: Parts): string => parts.map(([text, times]) => text.repeat(times)).join("");

function readOracle(): {
  readonly bounded: readonly Bounded[];
  readonly sequences: readonly Sequence[];
} {
  return JSON.parse(readFileSync(corpusPath("openmausbot", "oracle.json"), "utf8"));
}

describe.skipIf(!hasCorpus)("the store against what OpenMausBot's did (shared/corpus/openmausbot)", () => {
  it("answers every recorded operation alike", () => {
    let reads = 0;
    let durable = 0;
    const { sequences } = readOracle();
    expect(sequences).toHaveLength(43);
    for (const { label, start, ops } of sequences) {
      let now = start;
      let number = 0;
      const store = new ResultStore({
        clock: { now: () => now },
        newId: () => `r-${number++}`,
      });
      const turn = (owner: OwnerIds) => store.beginTurn({ session: owner.botId, transcript: owner.threadId });
      const expiry = new Map<number | string, { readonly at: number; readonly durable: boolean }>();
      for (const [at, op] of ops.entries()) {
        const where = `${label}, operation ${at}`;
        if (op.op === "advance") now = op.now;
        else if (op.op === "save") {
          const saved = turn(op.owner).save(redactLikeTheirs(textOf(op.parts)), op.truncated);
          expect(saved, where).toEqual({
            id: `r-${op.saved}`,
            length: op.length,
            truncated: op.result_truncated,
            expiresAt: op.expiresAt,
          });
          expiry.set(op.saved, { at: op.expiresAt, durable: op.durable === true });
        } else {
          const page = turn(op.owner).read(`r-${op.id}`, Number(op.offset));
          // Durable copies are written by OpenMausBot alone; what they answer after the store let go is not ours.
          if (page === undefined && op.result !== null && expiry.get(op.id)?.durable === true) {
            durable++;
            continue;
          }
          reads++;
          const { result } = op;
          const expected =
            result === null
              ? undefined
              : { ...result, text: typeof result.text === "string" ? result.text : textOf(result.text.parts) };
          if (expected !== undefined) delete (expected as { text_length?: number }).text_length;
          expect(page, where).toEqual(expected);
        }
      }
    }
    expect(reads).toBeGreaterThan(200);
    expect(durable).toBeLessThan(30);
  });

  it("bounds every recorded answer alike", async () => {
    const oracle = readOracle();
    expect(oracle.bounded).toHaveLength(65);
    let summaries = 0;
    for (const [at, one] of oracle.bounded.entries()) {
      const text = textOf(one.parts);
      const returned = one.saver_returned as { readonly throws?: string; readonly rejects?: string } | null | string;
      const calls: { text: string; truncated: boolean }[] = [];
      const output = await bounded(text, {
        redact: async (whole) => redactLikeTheirs(whole),
        save: (kept, truncated) => {
          calls.push({ text: kept, truncated });
          if (typeof returned === "object" && returned?.throws !== undefined) throw new Error(returned.throws);
          if (typeof returned === "object" && returned?.rejects !== undefined)
            return Promise.reject(new Error(returned.rejects));
          return Promise.resolve(returned === "(undefined)" ? undefined : returned);
        },
        after: () => ({ dispose: () => undefined }),
      });
      const where = `case ${at}, ${one.save}, ${one.length} units`;
      const [call] = calls;
      expect(
        call === undefined ? null : { length: call.text.length, truncated: call.truncated, tail: call.text.slice(-24) },
        where,
      ).toEqual(one.save_called_with);
      if (one.unchanged) expect(output === text, where).toBe(true);
      // A summary in the place of the preview is read here and never written.
      else if (one.prefix_length === null) summaries++;
      else {
        const prefix = one.prefix_length ?? -1;
        expect(output.slice(prefix), where).toBe(one.notice);
        expect(output.slice(Math.max(0, prefix - (one.prefix_tail?.length ?? 0)), prefix), where).toBe(one.prefix_tail);
      }
    }
    expect(summaries).toBe(oracle.bounded.filter(({ prefix_length: length }) => length === null).length);
  });
});

/** Enough of OpenMausBot's own rules for the invented secrets of these cases; what we ship is another rule set behind the same port. */
function redactLikeTheirs(text: string): RedactedText {
  const gone = (secret: string): string => `«redacted ${secret.length} chars»`;
  return text
    .replace(
      /(-----BEGIN RSA PRIVATE KEY-----\n)([\s\S]*?)(\n-----END RSA PRIVATE KEY-----)/g,
      (_, a, b, c) => `${a}${gone(b)}${c}`,
    )
    .replace(/\b(?:sk-[A-Za-z0-9-]{16,}|ghp_[A-Za-z0-9]{20,})/g, gone)
    .replace(
      /\b(token=|password: |Bearer )([A-Za-z0-9]{8,})/g,
      (_, name: string, secret: string) => name + gone(secret),
    ) as RedactedText;
}
