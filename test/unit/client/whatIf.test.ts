import { describe, expect, it } from "vitest";
import { CancelSource } from "../../../extension/src/client/lifetime";
import { parseBody } from "../../../extension/src/client/views/frames";
import { InspectorSession } from "../../../extension/src/client/views/inspectorSession";
import { type PageActions, PageLink } from "../../../extension/src/client/views/pageLink";
import type { CancelWithHook, SessionPorts } from "../../../extension/src/client/views/sessionPorts";
import { type Simulating, WhatIf, type WhatIfEvent } from "../../../extension/src/client/views/whatIf";
import { type ConfigInForce, configNote } from "../../../extension/src/client/views/whatIfConfig";
import { CACHE_MODELS } from "../../../extension/src/core/compaction/cacheModel";
import { POLICY_DEFAULTS } from "../../../extension/src/core/compaction/policy";
import { err, ok } from "../../../extension/src/core/model/problem";
import type { OpenedThread } from "../../../extension/src/protocol/simulation";
import type { HostFrame } from "../../../extension/src/protocol/webview";
import { WHATIF_LIMITS } from "../../../extension/src/protocol/whatIf";
import { FakeWorld, MemoryLog } from "./fakes";

const FACTS: OpenedThread["facts"] = {
  thread: "t",
  threads: [{ id: "t", title: "t", calls: 2, results: 1 }],
  calls: 2,
  results: 1,
  resultsRead: 1,
  measured: null,
  suggestedBaseTokens: 0,
  suggestedWindowTokens: null,
  inferred: { atLeast: 12_000, below: 30_000, note: null },
  notes: [],
};

const CONFIG: ConfigInForce = {
  file: "/h/.hermes/config.yaml",
  threshold: 20_000,
  scaled: { from: 8_000, to: 100_000 },
  windowTokens: 200_000,
  changed: null,
};

class FakeSimulating implements Simulating {
  disposed = false;
  readonly asked: string[] = [];
  answer: unknown = ok({ facts: FACTS, agent: "hermes", began: 1_000 });

  readonly ask: Simulating["ask"] = async (ask) => {
    this.asked.push(ask);
    // The test says which answer fits its question.
    return this.answer as never;
  };

  async dispose(): Promise<void> {
    this.disposed = true;
  }
}

function open(config: ConfigInForce | null = CONFIG, stated?: number) {
  const started: FakeSimulating[] = [];
  const told: WhatIfEvent[] = [];
  const whatIf = new WhatIf({
    simulate: (onProgress) => {
      onProgress({ what: "reading", done: 1, total: 2 });
      const one = new FakeSimulating();
      started.push(one);
      return one;
    },
    config: async () => config ?? undefined,
    statedWindow: async () => stated,
    tell: (event) => told.push(event),
    log: new MemoryLog(),
  });
  return { whatIf, started, told };
}

const cancel = () => new CancelSource();

describe("WhatIf", () => {
  it("starts a thread with the first question and tells how far it is", async () => {
    const { whatIf, started, told } = open();
    expect(started).toHaveLength(0);
    const facts = await whatIf.open(null, {}, cancel());
    expect(facts).toMatchObject({
      ok: true,
      value: {
        suggestedWindowTokens: 200_000,
        configThreshold: { chars: 20_000, file: CONFIG.file },
        inferred: { atLeast: 12_000, note: "The conversation fits the config's 20,000." },
      },
    });
    await whatIf.open("t", {}, cancel());
    expect(started).toHaveLength(1);
    expect(told).toEqual([{ e: "whatIf/progress", body: { what: "reading", done: 1, total: 2 } }]);
  });

  it("takes the window that the transcript states before the config's and the model's, with a config and without", async () => {
    for (const config of [CONFIG, null]) {
      const facts = await open(config, 258_400).whatIf.open(null, {}, cancel());
      expect(facts).toMatchObject({ ok: true, value: { suggestedWindowTokens: 258_400 } });
    }
  });

  it("says once that it is stale, answers on, and reads anew when a thread is opened", async () => {
    const { whatIf, started, told } = open();
    whatIf.stale();
    await whatIf.open(null, {}, cancel());
    whatIf.stale();
    whatIf.stale();
    expect(told.map(({ e }) => e)).toEqual(["whatIf/progress", "whatIf/stale"]);
    await whatIf.ask("curve", { thread: "t", policy: null }, {}, cancel());
    expect(started).toHaveLength(1);
    await whatIf.open(null, {}, cancel());
    expect(started.map(({ disposed }) => disposed)).toEqual([true, false]);
    whatIf.dispose();
    expect(started.every(({ disposed }) => disposed)).toBe(true);
  });

  it("answers for the transcript as it is now once somebody asked for that, and tells the next change again", async () => {
    const { whatIf, started, told } = open();
    await whatIf.open(null, {}, cancel());
    whatIf.renew();
    expect(started.map(({ disposed }) => disposed)).toEqual([false]);
    whatIf.stale();
    whatIf.renew();
    expect(started.map(({ disposed }) => disposed)).toEqual([true]);
    await whatIf.ask("curve", { thread: "t", policy: null }, {}, cancel());
    whatIf.stale();
    expect(told.filter(({ e }) => e === "whatIf/stale")).toHaveLength(2);
  });

  it("passes on why there is no answer", async () => {
    const { whatIf, started } = open(null);
    await whatIf.open(null, {}, cancel());
    const [one] = started;
    if (one === undefined) throw new Error("nothing started");
    one.answer = "dropped";
    expect(await whatIf.open(null, {}, cancel())).toMatchObject({ ok: false, error: { code: "cancelled" } });
    one.answer = err({ code: "no-calls", severity: "error", message: "No requests." });
    expect(await whatIf.open(null, {}, cancel())).toEqual({
      ok: false,
      error: { code: "failed", message: "No requests." },
    });
    const nowhere = new WhatIf({ simulate: undefined, config: undefined, tell: () => {}, log: new MemoryLog() });
    expect(await nowhere.open(null, {}, cancel())).toMatchObject({ ok: false, error: { code: "failed" } });
  });
});

describe("the note about the config", () => {
  const interval = { atLeast: 12_000, below: 30_000 };
  it.each([
    [{ ...CONFIG, threshold: 12_000 }, /fits the config's 12,000/],
    [{ ...CONFIG, threshold: 11_999 }, /was not held with the config's 11,999/],
    [{ ...CONFIG, threshold: 29_999 }, /fits/],
    [{ ...CONFIG, threshold: 30_000 }, /was not held/],
    [{ ...CONFIG, threshold: null }, /fits what an unset threshold gives \(8,000 to 100,000\)/],
    [{ ...CONFIG, threshold: null, scaled: { from: 39_321, to: 39_321 } }, /was not held with .*\(39,321\)/],
  ])("%o", (config, expected) => {
    expect(configNote(interval, config, null)).toMatch(expected);
  });

  it("says that the file was written later, and nothing where nothing is known", () => {
    expect(configNote(interval, { ...CONFIG, changed: 2 }, 1)).toMatch(/fits .* read once when an agent starts/);
    expect(configNote(interval, { ...CONFIG, changed: 1 }, 1)).not.toMatch(/read once/);
    const unknown = { atLeast: null, below: null };
    expect(configNote(unknown, CONFIG, 1)).toBeNull();
    expect(configNote(unknown, { ...CONFIG, changed: 2 }, 1)).toMatch(/^The config was written after/);
  });
});

describe("a page that asks", () => {
  const { micro } = POLICY_DEFAULTS;
  const assumptions = { cache: CACHE_MODELS[0], prices: null, windowTokens: null, baseTokens: null };
  const input = { thread: "t", policies: [micro], assumptions };
  let id = 1;
  const call = (m: string, body: unknown) => ({ v: 1, id: id++, t: "call", m, body });

  function page() {
    const world = new FakeWorld();
    const simulating = new FakeSimulating();
    const asked: { readonly lane: unknown; readonly cancel: CancelWithHook }[] = [];
    let answer = (): void => undefined;
    const slow: Simulating = {
      ask: (ask, _body, lane, cancel) => {
        asked.push({ lane, cancel });
        if (ask !== "run") return simulating.ask(ask, _body, lane, cancel);
        return new Promise((done) => {
          answer = () => done("dropped");
          cancel.onCancel(() => done("dropped"));
        });
      },
      dispose: () => simulating.dispose(),
    };
    const ports: SessionPorts = { ...world.ports, simulate: () => slow };
    const session = new InspectorSession("/w/session.json", ports, "en");
    const done: string[] = [];
    const actions: PageActions = {
      openFull: async () => ok(true),
      glance: async () => ({ title: null, window: null, windows: [] }),
      outputSecret: async () => err("not here"),
      outputPage: async () => err("not here"),
      reveal: async () => ok(true),
      copy: async () => undefined,
      rebase: async () => false,
      whatIf: {
        diff: async (_session, { call: number }) => ok(done.push(`diff ${number}`) > 0),
        apply: async (threshold) => ok(done.push(`apply ${threshold}`) < 0),
        exportRun: async () => err({ code: "failed", message: "Too large." }),
      },
    };
    const links = [1, 2].map(() => {
      const posted: HostFrame[] = [];
      const link = new PageLink({ session, actions, post: (frame) => posted.push(frame), log: world.log });
      return { link, posted };
    });
    const [one, two] = links;
    if (one === undefined || two === undefined) throw new Error("two pages");
    return { world, session, one, two, asked, done, answer: () => answer(), simulating };
  }

  it("gets one answer to everything", async () => {
    const { one, done } = page();
    const bodies = [
      call("whatIfOpen", { thread: null }),
      call("whatIfDiff", { input, call: 3 }),
      call("whatIfApply", { threshold: 9_000 }),
      call("whatIfExport", { input, format: "json" }),
      call("whatIfRun", { input: 1 }),
    ];
    for (const body of bodies) await one.link.receive(body);
    expect(one.posted).toMatchObject([
      { t: "ok", body: { thread: "t", configThreshold: null } },
      { t: "ok", body: { opened: true } },
      { t: "ok", body: { applied: false } },
      { t: "err", code: "failed", message: "Too large." },
      { t: "err", code: "bad-message" },
    ]);
    expect(done).toEqual(["diff 3", "apply 9000"]);
  });

  it("calls off what it no longer wants, and only that", async () => {
    const { one, two, asked } = page();
    const asking = call("whatIfRun", input);
    const running = one.link.receive(asking);
    const other = two.link.receive(call("whatIfRun", input));
    await one.link.receive({ v: 1, id: asking.id, t: "cancel" });
    await running;
    expect(one.posted).toMatchObject([{ t: "err", code: "cancelled", id: asking.id }]);
    expect(asked.map(({ cancel }) => cancel.isCancellationRequested)).toEqual([true, false]);
    // Each page has a lane of its own.
    expect(asked[0]?.lane).not.toBe(asked[1]?.lane);
    two.link.dispose();
    await other;
    expect(two.posted).toMatchObject([{ t: "err", code: "disposed" }]);
    expect(asked[1]?.cancel.isCancellationRequested).toBe(true);
  });

  it("hears that the transcript was read again", async () => {
    const { world, session, one } = page();
    session.read();
    await one.link.receive(call("ready", { version: 1 }));
    await one.link.receive(call("whatIfOpen", { thread: null }));
    one.posted.length = 0;
    session.read();
    const events = one.posted.flatMap((frame) => (frame.t === "event" ? [frame.e] : []));
    expect(events).toContain("whatIf/stale");
    // Also when it was hidden at that moment.
    one.link.setVisible(false);
    one.posted.length = 0;
    one.link.setVisible(true);
    expect(one.posted).toMatchObject([{ e: "state/full" }, { e: "whatIf/stale" }]);
    await one.link.receive(call("whatIfOpen", { thread: null }));
    one.posted.length = 0;
    one.link.setVisible(false);
    one.link.setVisible(true);
    expect(one.posted).toMatchObject([{ e: "state/full" }]);
    session.dispose();
    expect(world.log.lines).toEqual([]);
  });
});

describe("calls of the what-if page", () => {
  const { micro } = POLICY_DEFAULTS;
  const assumptions = {
    cache: CACHE_MODELS[1],
    prices: { write: 1.25, read: 0.1 },
    windowTokens: 200_000,
    baseTokens: null,
  };
  const input = { thread: "t", policies: [micro], assumptions };
  const run = (more: object) => parseBody("whatIfRun", { ...input, ...more }).ok;
  const assume = (more: object) => run({ assumptions: { ...assumptions, ...more } });
  const cache = (more: object) => assume({ cache: { ...CACHE_MODELS[1], ...more } });
  const BAD = [undefined, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e13, "1", {}, []];

  it("come through in their shape and without anything more", () => {
    expect(parseBody("whatIfRun", { ...input, more: 1 })).toEqual(ok(input));
    expect(parseBody("whatIfOpen", { thread: null })).toEqual(ok({ thread: null }));
    expect(parseBody("whatIfAffected", { input, order: "saved", from: 0, count: 500 })).toEqual(
      ok({ input, order: "saved", from: 0, count: 500 }),
    );
    expect(parseBody("whatIfCurve", { thread: "t", policy: micro })).toEqual(ok({ thread: "t", policy: micro }));
    expect(parseBody("whatIfDiff", { input, call: 3 })).toEqual(ok({ input, call: 3 }));
    expect(parseBody("whatIfApply", { threshold: 20_000 })).toEqual(ok({ threshold: 20_000 }));
    expect(parseBody("whatIfExport", { input, format: "csv" })).toEqual(ok({ input, format: "csv" }));
  });

  it("are refused when one number is none", () => {
    for (const bad of BAD) {
      expect(assume({ windowTokens: bad }), String(bad)).toBe(false);
      expect(assume({ baseTokens: bad }), String(bad)).toBe(false);
      expect(cache({ blockTokens: bad }), String(bad)).toBe(false);
      expect(cache({ minPrefixTokens: bad }), String(bad)).toBe(false);
      expect(cache({ ttlMs: bad }), String(bad)).toBe(false);
      expect(parseBody("whatIfApply", { threshold: bad }).ok, String(bad)).toBe(false);
      expect(parseBody("whatIfDiff", { input, call: bad }).ok, String(bad)).toBe(false);
      expect(parseBody("whatIfAffected", { input, order: "saved", from: 0, count: bad }).ok, String(bad)).toBe(false);
    }
    for (const bad of [undefined, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e9, "1"])
      expect(assume({ prices: { write: bad, read: 0.1 } }), String(bad)).toBe(false);
    expect(parseBody("whatIfApply", { threshold: 0 }).ok).toBe(false);
    expect(cache({ blockTokens: 0 })).toBe(false);
  });

  it("are refused when a text, a list or a word is out of bounds", () => {
    expect(run({ policies: Array(WHATIF_LIMITS.policies + 1).fill(micro) })).toBe(false);
    expect(run({ policies: [micro, { kind: "micro" }] })).toBe(false);
    expect(run({ policies: { length: 1, 0: micro } })).toBe(false);
    expect(run({ thread: "x".repeat(5_000) })).toBe(false);
    expect(run({ assumptions: null })).toBe(false);
    expect(cache({ source: "x".repeat(5_000) })).toBe(false);
    expect(parseBody("whatIfOpen", {}).ok).toBe(false);
    expect(parseBody("whatIfCurve", { thread: "t" }).ok).toBe(false);
    expect(parseBody("whatIfExport", { input, format: "toString" }).ok).toBe(false);
    const rows = { input, order: "length", from: 0, count: 1 };
    expect(parseBody("whatIfAffected", rows).ok).toBe(false);
    expect(parseBody("whatIfAffected", { ...rows, order: "call", count: WHATIF_LIMITS.affected + 1 }).ok).toBe(false);
  });
});
