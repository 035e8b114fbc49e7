import { describe, expect, test } from "vitest";
import type { WhatIfInput } from "../../extension/src/protocol/whatIf";
import { Rpc } from "../../webview/src/rpc";
import { WhatIfLoader } from "../../webview/src/whatIf/whatIfLoader";
import { firstPersist, INITIAL_SETUP, restoreSetup, type WhatIfSetup } from "../../webview/src/whatIf/whatIfSetup";
import { FakeHost, settled } from "./fakeHost";
import { sampleFacts, sampleHost } from "./whatIfSamples";

/** A loader over a host that answers when told to, and a clock that stands until told. */
class Bench {
  readonly host = new FakeHost();
  readonly waits = new Set<() => void>();
  stored: WhatIfSetup = INITIAL_SETUP;
  changes = 0;
  readonly loader: WhatIfLoader;

  constructor(setup = INITIAL_SETUP) {
    const rpc = new Rpc(this.host, {
      event: (message) => this.loader.take(message),
      badMessage: (what) => expect.unreachable(`bad message: ${what}`),
    });
    this.loader = new WhatIfLoader(
      rpc,
      () => this.changes++,
      setup,
      (stored) => {
        this.stored = stored;
      },
      (_, then) => {
        this.waits.add(then);
        return () => this.waits.delete(then);
      },
    );
  }

  get state() {
    return this.loader.state;
  }

  /** Lets the host answer the newest call of that name with what the simulator says. */
  async answer(method: "whatIfOpen" | "whatIfRun" | "whatIfCurve" | "whatIfAffected"): Promise<void> {
    const call = this.host.calls(method).at(-1);
    if (call === undefined) throw new Error(`no call of ${method}`);
    this.host.send({ v: 1, id: call.id, t: "ok", body: sampleHost.answer(method, call.body) });
    await settled();
  }

  async opened(): Promise<this> {
    this.loader.setVisible(true);
    await this.answer("whatIfOpen");
    return this;
  }

  async ready(): Promise<this> {
    await this.opened();
    await this.answer("whatIfRun");
    await this.answer("whatIfCurve");
    await this.answer("whatIfAffected");
    return this;
  }

  passTime(): void {
    for (const then of [...this.waits]) then();
  }

  thresholds(): unknown[] {
    return this.host
      .calls("whatIfRun")
      .map(({ body }) => (body as WhatIfInput).policies.map((policy) => policy.kind === "persist" && policy.threshold));
  }
}

const count = (bench: Bench) =>
  (["whatIfOpen", "whatIfRun", "whatIfCurve", "whatIfAffected"] as const).map((name) => bench.host.calls(name).length);

describe("what is asked, and when", () => {
  test("nothing until the tab is looked at; then the thread, its run and its curve, then the affected results", async () => {
    const bench = new Bench();
    bench.loader.change({ t: "order", order: "call" });
    expect(count(bench)).toEqual([0, 0, 0, 0]);
    await bench.opened();
    expect(count(bench)).toEqual([1, 1, 1, 0]);
    expect(bench.state.setup.cards).toHaveLength(1);
    expect(bench.stored.cards).toHaveLength(1);
    await bench.answer("whatIfRun");
    expect(count(bench)).toEqual([1, 1, 1, 1]);
    await bench.answer("whatIfAffected");
    await bench.answer("whatIfCurve");
    expect(bench.state).toMatchObject({ running: false, opening: false });
    expect(bench.state.affected?.total).toBe(bench.state.ran?.outcome.affected);
    expect(bench.state.curve?.steps.length).toBeGreaterThan(5);
    bench.loader.setVisible(false);
    bench.loader.setVisible(true);
    expect(count(bench)).toEqual([1, 1, 1, 1]);
  });

  test("while an answer is due only the newest change waits, and the answers on the way are shown", async () => {
    const bench = await new Bench().ready();
    for (const chars of [21_000, 22_000, 23_000, 24_000]) bench.loader.change({ t: "threshold", chars });
    expect(bench.thresholds()).toEqual([[30_000], [21_000]]);
    await bench.answer("whatIfRun");
    expect(bench.thresholds()).toEqual([[30_000], [21_000], [24_000]]);
    expect(bench.state.ran?.input.policies[0]).toMatchObject({ threshold: 21_000 });
    expect(bench.state.running).toBe(true);
    await bench.answer("whatIfRun");
    expect(bench.state.ran?.input.policies[0]).toMatchObject({ threshold: 24_000 });
    expect(bench.state.running).toBe(false);
    // No new curve for a threshold, and rows only for the run that stayed.
    expect(count(bench)).toEqual([1, 3, 1, 2]);
    expect(bench.host.cancelled()).toEqual([]);
  });

  test("an answer that is outdated and slow is cancelled for the newest", async () => {
    const bench = await new Bench().ready();
    bench.loader.change({ t: "threshold", chars: 21_000 });
    bench.loader.change({ t: "threshold", chars: 22_000 });
    const slow = bench.host.calls("whatIfRun").at(-1)?.id;
    bench.passTime();
    expect(bench.host.cancelled()).toEqual([slow]);
    expect(bench.thresholds().at(-1)).toEqual([22_000]);
    await bench.answer("whatIfRun");
    expect(bench.state).toMatchObject({ running: false, runError: null });
    expect(bench.waits.size).toBe(0);
  });

  test("one change alone is never cancelled, however long it takes", async () => {
    const bench = await new Bench().ready();
    bench.loader.change({ t: "threshold", chars: 21_000 });
    expect(bench.waits.size).toBe(0);
    bench.passTime();
    expect(bench.host.cancelled()).toEqual([]);
  });

  test("what changes nothing asks nothing", async () => {
    const bench = await new Bench().ready();
    bench.loader.change({ t: "threshold", chars: 30_000 });
    bench.loader.change({ t: "cursor", call: 3 });
    bench.loader.change({ t: "open", id: 1, on: true });
    expect(count(bench)).toEqual([1, 1, 1, 1]);
    bench.loader.change({ t: "order", order: "call" });
    expect(count(bench)).toEqual([1, 1, 1, 2]);
  });

  test("another cap asks for another curve", async () => {
    const bench = await new Bench().ready();
    const card = firstPersist(bench.state.setup);
    if (card === null) throw new Error("no card");
    bench.loader.change({ t: "policy", id: card.id, policy: { ...card.policy, mcpResult: 1 } });
    expect(count(bench).slice(1, 3)).toEqual([2, 2]);
  });
});

describe("threads", () => {
  test("another thread is opened at once, and the answer for the one before is not taken", async () => {
    const bench = await new Bench().ready();
    bench.loader.change({ t: "thread", thread: "sub-1" });
    const [, first] = bench.host.calls("whatIfOpen");
    bench.loader.change({ t: "thread", thread: "main" });
    expect(bench.host.cancelled()).toContain(first?.id);
    expect(bench.host.calls("whatIfOpen").map(({ body }) => body)).toEqual([
      { thread: null },
      { thread: "sub-1" },
      { thread: "main" },
    ]);
    await bench.answer("whatIfOpen");
    expect(bench.state.facts?.thread).toBe("main");
  });

  test("a grown transcript is read again by itself; the values stay on view meanwhile", async () => {
    const bench = await new Bench().ready();
    const { ran } = bench.state;
    bench.host.send({ v: 1, t: "event", e: "whatIf/stale", body: {} });
    bench.host.send({ v: 1, t: "event", e: "whatIf/stale", body: {} });
    expect(bench.state).toMatchObject({ opening: true, ran });
    bench.passTime();
    expect(bench.host.cancelled()).toEqual([]);
    await bench.answer("whatIfOpen");
    await bench.answer("whatIfOpen");
    expect(count(bench)[0]).toBe(3);
    expect(bench.state.opening).toBe(false);
    expect(count(bench)[1]).toBe(2);
  });

  test("hidden, it waits until it is looked at again", async () => {
    const bench = await new Bench().ready();
    bench.loader.setVisible(false);
    bench.host.send({ v: 1, t: "event", e: "whatIf/stale", body: {} });
    expect(count(bench)[0]).toBe(1);
    bench.loader.setVisible(true);
    expect(count(bench)[0]).toBe(2);
  });

  test("a cancelled opening stays cancelled until the user asks", async () => {
    const bench = new Bench();
    bench.loader.setVisible(true);
    bench.host.send({ v: 1, t: "event", e: "whatIf/progress", body: { what: "measuring", done: 3, total: 9 } });
    expect(bench.state.progress).toEqual({ what: "measuring", done: 3, total: 9 });
    bench.loader.cancelOpening();
    await settled();
    expect(bench.state).toMatchObject({ opening: false, cancelled: true, openError: null });
    bench.host.send({ v: 1, t: "event", e: "whatIf/stale", body: {} });
    expect(count(bench)[0]).toBe(1);
    bench.loader.reopen();
    expect(count(bench)[0]).toBe(2);
    await bench.answer("whatIfOpen");
    expect(bench.state.facts).not.toBeNull();
  });

  test("a thread that is gone is said, and the main one can be asked for", async () => {
    const bench = new Bench(restoreSetup({ thread: "gone" }));
    bench.loader.setVisible(true);
    const call = bench.host.calls("whatIfOpen").at(-1);
    bench.host.send({ v: 1, id: call?.id ?? 0, t: "err", code: "not-found", message: "No such thread." });
    await settled();
    expect(bench.state).toMatchObject({ openError: "No such thread.", opening: false });
    bench.loader.change({ t: "thread", thread: null });
    await bench.answer("whatIfOpen");
    expect(bench.state).toMatchObject({ openError: null });
    expect(bench.state.facts?.thread).toBe(sampleFacts.thread);
  });
});

describe("rows, actions and the end", () => {
  test("rows are asked for as they come into sight, once", async () => {
    const bench = await new Bench().ready();
    const rows = bench.state.affected;
    if (rows === null) throw new Error("no rows");
    bench.loader.needRows(0, 12);
    expect(count(bench)[3]).toBe(1);
    const many = bench.host.calls("whatIfAffected").at(-1);
    bench.loader.change({ t: "order", order: "before" });
    const call = bench.host.calls("whatIfAffected").at(-1);
    expect(call?.id).not.toBe(many?.id);
    bench.host.send({
      v: 1,
      id: call?.id ?? 0,
      t: "ok",
      body: { total: 900, rows: [...rows.rows.values()].slice(0, 2) },
    });
    await settled();
    bench.loader.needRows(0, 20);
    bench.loader.needRows(0, 20);
    expect(
      bench.host
        .calls("whatIfAffected")
        .slice(2)
        .map(({ body }) => (body as { from: number }).from),
    ).toEqual([2]);
  });

  test("compare and export carry the whole input; a failure is said until dismissed", async () => {
    const bench = await new Bench().ready();
    bench.loader.compare(12);
    bench.loader.exportAs("csv");
    const input = bench.state.ran?.input;
    expect(bench.host.calls("whatIfDiff").at(-1)?.body).toEqual({ input, call: 12 });
    expect(bench.host.calls("whatIfExport").at(-1)?.body).toEqual({ input, format: "csv" });
    bench.loader.apply(8_000);
    const apply = bench.host.calls("whatIfApply").at(-1);
    expect(apply?.body).toEqual({ threshold: 8_000 });
    bench.host.send({ v: 1, id: apply?.id ?? 0, t: "err", code: "failed", message: "No config file was found." });
    await settled();
    expect(bench.state.actionError).toBe("No config file was found.");
    bench.loader.dismissError();
    expect(bench.state.actionError).toBeNull();
  });

  test("a failed run is said, the last values stay, and trying again starts over", async () => {
    const bench = await new Bench().ready();
    const { ran } = bench.state;
    bench.loader.change({ t: "threshold", chars: 1 });
    const call = bench.host.calls("whatIfRun").at(-1);
    bench.host.send({ v: 1, id: call?.id ?? 0, t: "err", code: "failed", message: "The thread stopped." });
    await settled();
    expect(bench.state).toMatchObject({ runError: "The thread stopped.", ran, running: false });
    bench.loader.reopen();
    await bench.answer("whatIfOpen");
    await bench.answer("whatIfRun");
    expect(bench.state.runError).toBeNull();
  });

  test("a run that the host drops is over, and asked again with the next change", async () => {
    const bench = await new Bench().ready();
    bench.loader.change({ t: "threshold", chars: 1 });
    const call = bench.host.calls("whatIfRun").at(-1);
    bench.host.send({ v: 1, id: call?.id ?? 0, t: "err", code: "cancelled", message: "A newer question came." });
    await settled();
    expect(bench.state).toMatchObject({ running: false, runError: null });
    bench.loader.change({ t: "cursor", call: 1 });
    expect(bench.thresholds()).toEqual([[30_000], [1], [1]]);
  });

  test("dropping cancels whatever is due, and nothing comes after", async () => {
    const bench = await new Bench().opened();
    bench.loader.drop();
    await settled();
    expect(bench.host.cancelled()).toHaveLength(2);
    const { changes } = bench;
    bench.passTime();
    await settled();
    expect(bench.changes).toBe(changes);
  });
});
