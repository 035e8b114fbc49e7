import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ok } from "../../../extension/src/core/model/problem";
import { SEARCH_LIMITS, type SearchQuery, type SearchStep } from "../../../extension/src/core/model/search";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { BodyReader } from "../../../extension/src/core/transcript/body";
import { compileQuery, findHits, type SearchPorts, searchTexts } from "../../../extension/src/core/transcript/search";
import { guard } from "../../../extension/src/node/searchFile";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { answer, jsonLines, memorySource, prompt, read, toolResult, use } from "./support";

const plain = (text: string): SearchQuery => ({ text, regex: false, matchCase: false });
const pattern = (text: string): SearchQuery => ({ text, regex: true, matchCase: true });

async function search(texts: readonly string[], query: SearchQuery, more: Partial<SearchPorts> = {}) {
  const place = { line: 1, start: 0, end: 0 };
  const targets = texts.map((_, index) => ({ index, ref: { place, path: [index] } }));
  const steps: SearchStep[] = [];
  const ports: SearchPorts = { readText: async (ref) => ok({ text: texts[Number(ref.path[0])] ?? "" }), ...more };
  for await (const step of searchTexts(targets, query, ports, NEVER_CANCELLED)) steps.push(step);
  const last = steps.at(-1);
  return { hits: steps.flatMap((step) => step.hits), progress: last?.progress, end: last?.end, steps };
}

describe("search inside results", () => {
  it("finds plain text as it stands, in either case, with places in UTF-16 units", async () => {
    const { hits, end } = await search(["a.b 🚚 A.B", "axb", "größe a.b"], plain("A.b"));
    expect(hits).toEqual([
      {
        index: 0,
        count: 2,
        ranges: [
          [0, 3],
          [7, 10],
        ],
      },
      { index: 2, count: 1, ranges: [[6, 9]] },
    ]);
    expect(end).toBe("done");
    expect((await search(["a.b A.B"], { ...plain("A.B"), matchCase: true })).hits[0]?.ranges).toEqual([[4, 7]]);
  });

  it("agrees with the plainest search for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ minLength: 1, unit: "grapheme" }), (around, word) => {
        const text = `${around}${word}${around}`;
        const compiled = compileQuery({ text: word, regex: false, matchCase: true });
        if (!compiled.ok) throw new Error(compiled.error);
        const places: number[] = [];
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push(at);
        const found = findHits(text, compiled.value);
        expect(found.count).toBeGreaterThan(0);
        expect(places).toEqual(expect.arrayContaining(found.ranges.map(([start]) => start)));
      }),
    );
  });

  it("stops where it is called off, and reads no text more", async () => {
    const cancel = { isCancellationRequested: false };
    const place = { line: 1, start: 0, end: 0 };
    const targets = Array.from({ length: 500 }, (_, index) => ({ index, ref: { place, path: [index] } }));
    let reads = 0;
    const readText = async () => {
      reads++;
      cancel.isCancellationRequested = reads === 70;
      return ok({ text: "a" });
    };
    const steps: SearchStep[] = [];
    for await (const step of searchTexts(targets, plain("a"), { readText }, cancel)) steps.push(step);
    expect(reads).toBe(70);
    expect(steps.map(({ end }) => end)).toEqual([undefined]);
  });

  it("reads lines in a regular expression, and takes hits of no length for none", async () => {
    expect((await search(["one\ntwo"], pattern("^t\\w+$"))).hits).toEqual([{ index: 0, count: 1, ranges: [[4, 7]] }]);
    expect((await search(["abc"], pattern("x*"))).hits).toEqual([]);
  });

  it("says what is no regular expression", () => {
    const compiled = compileQuery(pattern("(a"));
    expect(compiled.ok ? "" : compiled.error).toMatch(/^This is no regular expression: .*\(a/);
    expect(compileQuery(plain("(a")).ok).toBe(true);
    expect(compileQuery(plain("x".repeat(SEARCH_LIMITS.query + 1))).ok).toBe(false);
  });

  it("stops a pattern that runs away in one text and goes on; several such texts end the search", async () => {
    const guarded = guard();
    const quick = (_ms: number, run: () => void) => guarded(250, run);
    const evil = `${"a".repeat(40)}b`;
    const one = await search([evil, "aaa"], pattern("^(a+)+$"), { guarded: quick });
    expect(one).toMatchObject({ hits: [{ index: 1, count: 1 }], end: "done", progress: { slow: 1, searched: 2 } });
    const many = await search(Array(20).fill(evil), pattern("^(a+)+$"), { guarded: quick });
    expect(many).toMatchObject({ end: "gave-up", progress: { searched: SEARCH_LIMITS.slowTexts } });
  });

  it("is capped by results with a hit, and bounds places and counts", async () => {
    const many = await search(Array(SEARCH_LIMITS.rows + 9).fill("hit"), plain("hit"));
    expect(many.end).toBe("capped");
    expect(many.hits).toHaveLength(SEARCH_LIMITS.rows);
    const [long] = (await search(["x".repeat(SEARCH_LIMITS.count + 5)], plain("x"))).hits;
    expect(long?.count).toBe(SEARCH_LIMITS.count);
    expect(long?.ranges).toHaveLength(SEARCH_LIMITS.places);
  });

  it("tells unreadable texts apart and looks at all others", async () => {
    const broken = { ok: false, error: { code: "x", severity: "error", message: "gone" } } as const;
    const { progress, hits } = await search(["hit", "hit"], plain("hit"), {
      readText: async (ref) => (ref.path[0] === 0 ? broken : ok({ text: "hit" })),
    });
    expect(progress).toMatchObject({ unreadable: 1, searched: 2 });
    expect(hits).toMatchObject([{ index: 1 }]);
  });

  it("searches what stands in the transcript's own records", async () => {
    const text = jsonLines(
      prompt("go"),
      answer("m1", use("t1"), use("t2")),
      toolResult("t1", "needle 🪡 one"),
      toolResult("t2", "nothing"),
    );
    const index = await read(text);
    const reader = new BodyReader(memorySource(text), nodeUtf8);
    const targets = index.results.flatMap(({ index: at, body }) =>
      body === undefined ? [] : [{ index: at, ref: body }],
    );
    const hits = [];
    for await (const step of searchTexts(
      targets,
      plain("🪡"),
      { readText: (ref) => reader.read(ref) },
      NEVER_CANCELLED,
    )) {
      hits.push(...step.hits);
    }
    expect(hits).toEqual([{ index: 0, count: 1, ranges: [[7, 9]] }]);
  });
});
