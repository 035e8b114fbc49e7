import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBody, parsePageFrame } from "../../../extension/src/client/views/frames";
import { type Handlers, HostRpc } from "../../../extension/src/client/views/hostRpc";
import { ok } from "../../../extension/src/core/model/problem";
import { NO_FILTER } from "../../../extension/src/core/model/rowQuery";
import type { CallName, Calls, HostFrame } from "../../../extension/src/protocol/webview";
import { sampleFacts } from "../../webview/whatIfSamples";
import { MemoryLog } from "./fakes";

const input: Calls["whatIfRun"]["in"] = {
  thread: sampleFacts.thread,
  policies: [],
  assumptions: {
    cache: { id: "c", blockTokens: 1, minPrefixTokens: 0, ttlMs: null, source: "s" },
    prices: { write: 1.25, read: 0.1 },
    windowTokens: 200_000,
    baseTokens: null,
  },
};

/** A body that each call takes; the compiler asks for one of a new call. */
const TAKEN: { readonly [M in CallName]: Calls[M]["in"] } = {
  ready: { version: 1 },
  overview: { thread: "main" },
  glance: {},
  search: { search: 1, query: { text: "a", regex: true, matchCase: false } },
  rows: {
    filter: { ...NO_FILTER, threads: ["main"], turns: [1, 2], text: "x" },
    sort: { key: "chars", descending: true },
    search: 2,
    from: 0,
    count: 10,
    around: { ref: { index: 1, thread: "main", callId: "c" }, before: 3 },
    find: [{ index: 1, thread: null, callId: null }],
    summary: true,
  },
  detail: { index: 1 },
  showSecret: { index: 1, at: 2, units: 3 },
  showOutputSecret: { index: 1, at: 2 },
  outputPage: { index: 1, offset: 0 },
  handles: { moment: { kind: "call", thread: "main", call: 3 }, use: null, from: 0, count: 10 },
  openFull: { index: 1 },
  reveal: { line: 1 },
  copy: { index: 1, what: "path" },
  rebase: {},
  cancelReading: {},
  reload: {},
  whatIfOpen: { thread: null },
  whatIfRun: input,
  whatIfAffected: { input, order: "saved", from: 0, count: 10 },
  whatIfCurve: { thread: "main", policy: null },
  whatIfDiff: { input, call: 1 },
  whatIfApply: { threshold: 20_000 },
  whatIfExport: { input, format: "json" },
};
const NAMES = Object.keys(TAKEN) as CallName[];

/** UTF-16 units of JSON. Nothing that a page asks for is longer, however long what it sent was. */
const MOST = 4_000_000;

/** Every place inside a value, as a path. */
function paths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]))];
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string, unknown>)[key] = replaced((value as Record<string, unknown>)[key], rest, by);
  return copy;
}

const keys = (value: unknown): readonly string[] =>
  paths(value).map((path) => path.filter((key) => !/^\d+$/.test(key)).join("."));

const circular: Record<string, unknown> = {};
circular["self"] = circular;
/** What stands in a place where something else belongs. */
const WRONG: readonly unknown[] = [
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  0.5,
  2 ** 53,
  1e308,
  10n,
  "x".repeat(5_000_000),
  Array.from({ length: 200_000 }, () => "x"),
  Array.from({ length: 200_000 }, () => ({ kind: "prune" })),
  Object.create({ index: 1, thread: "main" }),
  JSON.parse('{"__proto__":{"index":1},"constructor":1}'),
  circular,
  () => 1,
  Symbol("x"),
  new Map([["index", 1]]),
];

describe("what a page asks for", () => {
  it.each(NAMES)("%s takes its body, and of it what is declared", (name) => {
    const body = TAKEN[name];
    const polluted = { ...body, more: 1, __proto__: { path: "/etc" }, constructor: 2 };
    expect(parseBody(name, polluted)).toEqual({ ok: true, value: body });
  });

  it.each(NAMES)("%s with anything wrong in one place is refused, or taken without it", (name) => {
    const body = TAKEN[name];
    const declared = new Set(keys(body));
    for (const path of paths(body).filter((one) => one.length > 0)) {
      for (const wrong of WRONG) {
        const parsed = parseBody(name, replaced(body, path, wrong));
        if (!parsed.ok) continue;
        const text = JSON.stringify(parsed.value);
        expect(text.length).toBeLessThan(MOST);
        // Numbers that JSON cannot say would arrive as null somewhere.
        expect(JSON.parse(text)).toEqual(parsed.value);
        for (const key of keys(parsed.value)) expect(declared).toContain(key);
      }
    }
  });

  it("whatever arrives is answered and never thrown", () => {
    const anything = fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withTypedArray: true });
    const frame = fc.record({
      v: fc.oneof(fc.constant(1), anything),
      id: fc.oneof(fc.nat(), anything),
      t: fc.oneof(fc.constantFrom("call", "cancel"), anything),
      m: fc.oneof(fc.constantFrom(...NAMES, "toString", "__proto__"), anything),
      body: fc.oneof(fc.constantFrom(...Object.values(TAKEN)), anything),
    });
    fc.assert(
      fc.property(fc.oneof(frame, anything), (raw) => {
        const parsed = parsePageFrame(raw);
        if (parsed.ok && parsed.value.t === "call") parseBody(parsed.value.m, parsed.value.body);
        else if (!parsed.ok) expect(parsed.error.message.length).toBeLessThan(200);
      }),
      { numRuns: 2_000 },
    );
    for (const wrong of WRONG) {
      for (const place of ["v", "id", "t", "m"]) {
        parsePageFrame({ v: 1, id: 1, t: "call", m: "ready", body: {}, [place]: wrong });
      }
    }
  });
});

describe("a page that floods its host", () => {
  function flooded() {
    const posted: HostFrame[] = [];
    const log = new MemoryLog();
    let started = 0;
    const never = (): Promise<never> => new Promise(() => started++);
    const handlers = Object.fromEntries(NAMES.map((name) => [name, never])) as unknown as Handlers;
    return {
      posted,
      log,
      started: () => started,
      host: new HostRpc((frame) => posted.push(frame), handlers, log, undefined),
    };
  }
  const call = (id: number, m: CallName = "detail") => ({ v: 1, id, t: "call", m, body: TAKEN[m] });

  it("runs a bounded number of calls and refuses the others at once", () => {
    const { host, posted, started } = flooded();
    for (let id = 0; id < 50_000; id++) void host.receive(call(id));
    expect(started()).toBe(64);
    expect(host.running).toBe(64);
    expect(posted).toHaveLength(50_000 - 64);
    expect(posted.every((frame) => frame.t === "err")).toBe(true);
  });

  it("fills no log with broken messages", async () => {
    const { host, log } = flooded();
    for (let id = 0; id < 10_000; id++) {
      await host.receive({ v: id, id, t: "call" });
      await host.receive({ ...call(id), body: id });
      await host.receive("x");
    }
    expect(log.lines.length).toBeLessThan(100);
    expect(log.lines.at(-1)).toMatch(/further/);
  });

  it("of two pages each hears its own answers, and none after it is gone", async () => {
    const release: (() => void)[] = [];
    const waits = () => new Promise<unknown>((done) => release.push(() => done(ok({ opened: true }))));
    const pages = [0, 1].map(() => {
      const posted: HostFrame[] = [];
      const host = new HostRpc(
        (frame) => posted.push(frame),
        { openFull: waits } as unknown as Handlers,
        new MemoryLog(),
        undefined,
      );
      return { posted, host, running: host.receive(call(7, "openFull")) };
    });
    pages[0]?.host.dispose();
    for (const one of release) one();
    await Promise.all(pages.map(({ running }) => running));
    await pages[0]?.host.receive(call(8));
    expect(pages.map(({ posted }) => posted)).toMatchObject([
      [{ id: 7, t: "err", code: "disposed" }],
      [{ id: 7, t: "ok", body: { opened: true } }],
    ]);
  });
});
