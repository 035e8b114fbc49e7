import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgentTools } from "../../../extension/src/core/agentTools/createAgentTools";
import { HEAD_UNITS } from "../../../extension/src/core/agentTools/limits";
import { ok } from "../../../extension/src/core/model/problem";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { PREVIEW_UNITS, WHOLE_UNITS } from "../../../extension/src/core/results/store/boundText";
import { PAGE_UNITS } from "../../../extension/src/core/results/store/page";
import type { StoreLimits } from "../../../extension/src/core/results/store/resultStore";
import { fakePorts } from "./fakePorts";

const LIMITS: StoreLimits = {
  textUnits: 40_000,
  ownerEntries: 3,
  ownerBytes: 150_000,
  entries: 5,
  bytes: 260_000,
  keepMs: 1_000,
};
const SESSIONS = ["a", "b"];
const TRANSCRIPTS = ["/t.jsonl", "/u.jsonl"];

/** What stands at a place where something is cut. */
const EDGES = ["", "SECRET-ABC", "😀", "\ud83d", "\ude00", "日本", "\0"];

/** Texts of lengths near every bound. */
const texts = fc
  .record({
    edge: fc.constantFrom(WHOLE_UNITS, PREVIEW_UNITS, PAGE_UNITS * 2, LIMITS.textUnits, 10),
    before: fc.integer({ min: 0, max: 9 }),
    piece: fc.constantFrom(...EDGES),
    after: fc.constantFrom(0, 1, 9_000, 25_000),
    wide: fc.boolean(),
  })
  .map(({ edge, before, piece, after, wide }) => {
    const filler = wide ? "é" : "x";
    return `${filler.repeat(Math.max(0, edge - before))}${piece}${"y".repeat(after)}`;
  });

type Step =
  | { readonly do: "open"; readonly session: number; readonly transcript: number; readonly text: string }
  | {
      readonly do: "page";
      readonly session: number;
      readonly transcript: number;
      readonly id: number;
      readonly offset: number;
    }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "turn"; readonly session: number; readonly ends: boolean };

const session = fc.nat({ max: SESSIONS.length - 1 });
const transcript = fc.nat({ max: TRANSCRIPTS.length - 1 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("open" as const), session, transcript, text: texts }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("page" as const),
        session,
        transcript,
        id: fc.nat({ max: 12 }),
        offset: fc.oneof(fc.constantFrom(0, 16_000, 15_999, 39_999, 40_000), fc.nat({ max: 41_000 })),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 500, 1_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("turn" as const), session, ends: fc.boolean() }) },
  ),
  { minLength: 10, maxLength: 40, size: "max" },
);

interface Kept {
  readonly id: string;
  readonly owner: string;
  readonly text: string;
  readonly until: number;
}

/** The rules in their plainest form. */
class Model {
  private kept: readonly Kept[] = [];
  pushedOut = 0;

  save(one: Kept, now: number): void {
    this.kept = [...this.kept.filter(({ until }) => until > now), one];
    const drop = (entry: Kept | undefined): void => {
      this.kept = this.kept.filter((other) => other !== entry);
      this.pushedOut++;
    };
    const mine = () => this.kept.filter(({ owner }) => owner === one.owner);
    while (mine().length > LIMITS.ownerEntries || bytesOf(mine()) > LIMITS.ownerBytes) drop(mine()[0]);
    while (this.kept.length > LIMITS.entries || bytesOf(this.kept) > LIMITS.bytes) drop(this.kept[0]);
  }

  find(id: string, owner: string, now: number): Kept | undefined {
    return this.kept.find((one) => one.id === id && one.owner === owner && one.until > now);
  }
}

const bytesOf = (list: readonly Kept[]): number => list.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** A cut that leaves no half of a character behind it; one that ends the text goes as well. */
function cut(text: string, units: number): string {
  const part = text.slice(0, units);
  return /[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part;
}

describe("the tools over any calls", () => {
  it("give what a plain list would, bounded, without secrets, to nobody else", async () => {
    const met = { pages: 0, gone: 0, pushedOut: 0 };
    await fc.assert(
      fc.asyncProperty(steps, async (operations) => {
        let answer = "";
        let ids = 0;
        const idOf = (number: number): string => `r-${String(number).padStart(36, "0")}`;
        const ports = fakePorts({
          readResult: async () =>
            ok({
              ...{ text: answer, isCut: false, from: "transcript", path: null, isFull: true, tool: null },
              ...{ state: "inline", isError: false, notes: [] },
            }),
          newId: () => idOf(ids++),
        });
        const tools = createAgentTools(ports, LIMITS);
        const model = new Model();
        const ask = (name: string, input: unknown, who: number) =>
          tools.call(`contextBudget_${name}`, input, { session: SESSIONS[who] ?? "" }, NEVER_CANCELLED);
        for (const step of operations) {
          if (step.do === "wait") ports.time.advance(step.ms);
          else if (step.do === "turn") {
            const who = SESSIONS[step.session] ?? "";
            if (step.ends) tools.endTurn(who);
            else tools.beginTurn(who);
          } else {
            const path = TRANSCRIPTS[step.transcript] ?? "";
            const owner = JSON.stringify([step.session, step.transcript]);
            if (step.do === "open") {
              answer = step.text;
              const { text } = await ask("readResult", { transcript: path, result: 0 }, step.session);
              const clean = step.text.replaceAll(/SECRET-[A-Z]+/g, "[secret: test]");
              const at = text.indexOf("\n\n");
              const head = JSON.parse(text.slice(0, at));
              const body = text.slice(at + 2);
              expect(text.length).toBeLessThanOrEqual(WHOLE_UNITS + HEAD_UNITS);
              expect(text).not.toContain("SECRET-");
              if (step.text.length <= WHOLE_UNITS && clean.length <= WHOLE_UNITS) {
                expect(body).toBe(clean);
                expect(head.id).toBeNull();
              } else {
                const kept = cut(clean, LIMITS.textUnits);
                expect(head).toMatchObject({ id: idOf(ids - 1), keptUtf16Units: kept.length });
                expect(head.restNotKept).toBe(kept.length < clean.length);
                const shown = cut(clean, PREVIEW_UNITS);
                expect(body.startsWith(`${shown}\n\n[Large tool result: showing the first ${shown.length} `)).toBe(
                  true,
                );
                model.save({ id: head.id, owner, text: kept, until: ports.time.now + LIMITS.keepMs }, ports.time.now);
              }
            } else {
              const known = model.find(idOf(step.id), owner, ports.time.now);
              const page = await ask(
                "readPage",
                { transcript: path, id: idOf(step.id), offset: step.offset },
                step.session,
              );
              if (known === undefined && step.id < ids) met.gone++;
              if (known === undefined || step.offset > known.text.length) {
                expect(page.ok).toBe(false);
                continue;
              }
              const at = page.text.indexOf("\n\n");
              const head = JSON.parse(page.text.slice(0, at));
              const body = page.text.slice(at + 2);
              expect(page.ok).toBe(true);
              expect(body).toBe(known.text.slice(head.offset, head.offset + head.shownUtf16Units));
              expect(step.offset - head.offset).toBeGreaterThanOrEqual(0);
              expect(step.offset - head.offset).toBeLessThanOrEqual(1);
              const next = head.offset + head.shownUtf16Units;
              expect(head.nextOffset).toBe(next < known.text.length ? next : null);
              expect(body.length).toBeLessThanOrEqual(PAGE_UNITS);
              met.pages++;
            }
          }
        }
        expect(ports.time.waiting).toBe(0);
        expect(ports.troubles).toEqual([]);
        met.pushedOut += model.pushedOut;
      }),
      { numRuns: 150 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(20);
  });
});
