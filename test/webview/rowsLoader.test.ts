import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FILE_STATUSES, NO_FILTER, RESULT_STATES, ROW_LIMITS, refOf } from "../../extension/src/core/model/rowQuery";
import type { RowsAsked } from "../../extension/src/protocol/webview";
import { makeRows } from "../../webview/dev/recordings";
import { RowHost } from "../../webview/dev/rowHost";
import { RowList } from "../../webview/dev/rowList";
import { MAX_AT_HAND, type PageQuery, RowsLoader, type Sight } from "../../webview/src/rowsLoader";
import { Rpc } from "../../webview/src/rpc";
import { FakeHost, settled } from "./fakeHost";

const ALL: PageQuery = { filter: NO_FILTER, sort: null, search: null };
const BY_SIZE: PageQuery = { ...ALL, sort: { key: "chars", descending: true } };

function setUp(rows = makeRows(3_000)) {
  const host = new FakeHost();
  const rowHost = new RowHost(rows);
  const rpc = new Rpc(host, { event: () => undefined, badMessage: (what) => expect.unreachable(what) });
  const found: (number | null)[] = [];
  const failures: string[] = [];
  let shown = true;
  const show = (on: boolean): void => {
    shown = on;
    if (on) loader.wake();
  };
  const loader = new RowsLoader(rpc, ALL, {
    changed: () => undefined,
    isShown: () => shown,
    failed: (reason) => failures.push(reason),
    found: ({ row }) => found.push(row?.index ?? null),
  });
  /** Questions that wait for an answer. */
  const open = () => host.calls("rows").filter(({ id }) => !host.cancelled().includes(id) && !answered.has(id));
  const answered = new Set<number>();
  const answer = async (): Promise<boolean> => {
    const [question] = open();
    if (question === undefined) return false;
    answered.add(question.id);
    host.send({ v: 1, id: question.id, t: "ok", body: rowHost.answer(question.body as RowsAsked) });
    await settled();
    return true;
  };
  const quiet = async (): Promise<number> => {
    let questions = 0;
    while (await answer()) questions++;
    return questions;
  };
  return { host, rowHost, loader, show, found, failures, open, answer, quiet };
}

function sight(first: number, top: number | null = first): Sight {
  return { first, last: first + 40, top };
}

describe("rows at hand", () => {
  test("after any course of events they are those of the host, in sight, and no more than the bound", async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ what: fc.constant("look" as const), first: fc.nat(400) }),
        fc.record({ what: fc.constant("sort" as const), key: fc.constantFrom("chars" as const, "tool" as const) }),
        fc.record({ what: fc.constant("filter" as const), state: fc.constantFrom(null, ...RESULT_STATES) }),
        fc.record({ what: fc.constant("grow" as const), many: fc.integer({ min: 1, max: 30 }) }),
        fc.record({ what: fc.constant("file" as const), at: fc.nat(300), file: fc.constantFrom(...FILE_STATUSES) }),
        fc.record({ what: fc.constant("select" as const), index: fc.nat(300) }),
        fc.constant({ what: "answer" as const }),
      ),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { rowHost, loader, open, answer, quiet } = setUp(makeRows(300));
        let query = ALL;
        let seen = sight(0, null);
        let selected: number | null = null;
        loader.setNews(rowHost.news);
        for (const step of all) {
          if (step.what === "look") seen = sight(step.first);
          if (step.what === "look") loader.look(seen);
          else if (step.what === "sort") query = { ...query, sort: { key: step.key, descending: true } };
          else if (step.what === "filter") {
            query = { ...query, filter: { ...NO_FILTER, states: step.state === null ? null : [step.state] } };
          } else if (step.what === "grow") {
            const from = rowHost.rows.length;
            loader.setNews(rowHost.set(makeRows(step.many, from).map((row) => ({ ...row, index: row.index + from }))));
          } else if (step.what === "file") loader.setNews(rowHost.setFile(step.at, step.file));
          else if (step.what === "select") {
            selected = step.index;
            loader.select({ index: step.index, thread: null, callId: null });
          } else await answer();
          if (step.what === "sort" || step.what === "filter") loader.setQuery(query);
          expect(open().length).toBeLessThanOrEqual(1);
        }
        expect(await quiet()).toBeLessThan(6);
        const expected = new RowList(rowHost.rows).answer({
          query: { filter: query.filter, sort: query.sort, within: null },
          from: seen.first,
          count: 41,
          around: null,
          find: selected === null ? [] : [{ index: selected, thread: null, callId: null }],
          summary: true,
        });
        const { state } = loader;
        expect(state.total).toBe(expected.total);
        expect(state.summary).toEqual(expected.summary);
        const last = Math.min(seen.last, expected.total - 1);
        for (let place = seen.first; place <= last; place++) {
          expect(state.at(place)).toEqual(expected.rows[place - expected.from]);
        }
        if (selected !== null) expect(state.selected).toEqual(expected.found[0]);
      }),
      { numRuns: 150 },
    );
  });

  test("scrolling on asks ahead, so that most steps ask nothing; what is far is let go", async () => {
    const { host, loader, rowHost, quiet } = setUp();
    loader.setNews(rowHost.news);
    await quiet();
    let questions = 0;
    for (let first = 0; first <= 2_900; first += 20) {
      loader.look(sight(first));
      questions += await quiet();
    }
    expect(questions).toBeLessThan(50);
    const sent = host.calls("rows").reduce((sum, { body }) => sum + (body as RowsAsked).count, 0);
    expect(sent).toBeLessThan(3_000 + 300);
    const kept = Array.from({ length: 3_000 }, (_, place) => loader.state.at(place)).filter((row) => row !== null);
    expect(kept.length).toBeLessThanOrEqual(MAX_AT_HAND);
    expect(loader.state.at(0)).toBeNull();
    expect(loader.state.at(2_940)).not.toBeNull();
  });

  test("what is asked for ahead is not called off by the next step towards it", async () => {
    const { host, loader, rowHost, open, quiet } = setUp();
    loader.setNews(rowHost.news);
    await quiet();
    for (let first = 0; first < 400; first += 3) {
      loader.look(sight(first));
      if (first % 30 === 0) await quiet();
    }
    expect(host.cancelled()).toEqual([]);
    loader.select({ index: 2_900, thread: null, callId: null });
    await quiet();
    loader.select({ index: 2_901, thread: null, callId: null });
    const [lookup] = open();
    loader.look(sight(410));
    expect(open()).toEqual([lookup]);
    await quiet();
    expect(loader.state.selected?.place).toBe(2_901);
    expect(loader.state.at(2_901)?.index).toBe(2_901);
  });

  test("the row first in sight is kept in sight when others come above it, in one question", async () => {
    const { host, loader, rowHost, quiet } = setUp();
    loader.setNews(rowHost.news);
    loader.setQuery(BY_SIZE);
    loader.look(sight(1_000, 1_012));
    await quiet();
    const first = loader.state.at(1_012);
    const before = host.calls("rows").length;
    const { epoch } = loader.state;
    const [row] = makeRows(1);
    if (row === undefined || first === null) throw new Error("no row");
    loader.setNews(rowHost.set(Array.from({ length: 5 }, (_, at) => ({ ...row, index: 3_000 + at, chars: 1e6 }))));
    expect(await quiet()).toBe(1);
    expect(host.calls("rows").length).toBe(before + 1);
    expect(loader.state).toMatchObject({ epoch: epoch + 1, move: { to: "anchor", place: 1_017 }, total: 3_005 });
    expect(loader.state.at(1_017)).toEqual(first);
  });

  test("a filter that the row passes keeps it in sight; one that it does not begins at the top, as another order does", async () => {
    const { loader, rowHost, quiet } = setUp();
    loader.setNews(rowHost.news);
    loader.look(sight(500, 512));
    await quiet();
    const row = rowHost.rows[512];
    const others = RESULT_STATES.find((state) => state !== row?.state) ?? "inline";
    loader.setQuery({ ...ALL, filter: { ...NO_FILTER, states: [row?.state ?? "inline"] } });
    await quiet();
    const { move } = loader.state;
    expect(move.to === "anchor" && loader.state.at(move.place)).toEqual(row);
    loader.setQuery({ ...ALL, filter: { ...NO_FILTER, states: [others] } });
    await quiet();
    expect(loader.state.move).toEqual({ to: "top" });
    loader.look(sight(20, 20));
    await quiet();
    loader.setQuery(BY_SIZE);
    await quiet();
    expect(loader.state.move).toEqual({ to: "top" });
  });

  test("nothing is asked while nobody looks, and once what is new when somebody does again", async () => {
    const { host, loader, rowHost, show, quiet } = setUp();
    show(false);
    loader.setNews(rowHost.news);
    loader.setQuery(BY_SIZE);
    expect(host.calls("rows")).toEqual([]);
    show(true);
    expect(await quiet()).toBe(1);
    show(false);
    for (const at of [1, 2, 3]) loader.setNews(rowHost.setFile(at, "expired"));
    expect(await quiet()).toBe(0);
    show(true);
    expect(await quiet()).toBe(1);
  });

  test("the old rows stay until the new ones are there", async () => {
    const { loader, rowHost, quiet } = setUp();
    loader.setNews(rowHost.news);
    await quiet();
    const before = loader.state;
    loader.setQuery(BY_SIZE);
    expect(loader.state).toMatchObject({ total: 3_000, epoch: before.epoch });
    expect(loader.state.at(0)).toEqual(rowHost.rows[0]);
    await quiet();
    expect(loader.state.epoch).toBe(before.epoch + 1);
  });

  test("a newer query cancels the question of the older one; newer rows wait for its answer", async () => {
    const { host, loader, rowHost, open, quiet } = setUp();
    loader.setNews(rowHost.news);
    loader.setQuery(BY_SIZE);
    expect(host.cancelled()).toEqual([host.calls("rows")[0]?.id]);
    loader.setNews(rowHost.setFile(3, "expired"));
    loader.setNews(rowHost.setFile(4, "expired"));
    expect(host.cancelled()).toHaveLength(1);
    expect(open()).toHaveLength(1);
    expect(await quiet()).toBe(1);
  });

  test("the selected row is told again when it changed or was another, not when it is the same", async () => {
    const { loader, rowHost, found, quiet } = setUp();
    loader.setNews(rowHost.news);
    loader.select({ index: 2_500, thread: null, callId: null });
    await quiet();
    expect(found).toEqual([2_500]);
    const row = loader.state.selected?.row;
    loader.setNews(rowHost.setFile(3, "expired"));
    await quiet();
    expect(found).toEqual([2_500]);
    expect(loader.state.selected?.row).toBe(row);
    loader.setNews(
      rowHost.set([{ ...(rowHost.rows[2_500] ?? makeRows(1)[0]), images: 7 } as (typeof rowHost.rows)[0]]),
    );
    await quiet();
    expect(found).toEqual([2_500, 2_500]);
    loader.setNews(rowHost.truncate(100));
    await quiet();
    expect(found).toEqual([2_500, 2_500, null]);
    expect(loader.state.active).toBeNull();
  });

  test("a refused question is not asked again and again, but when something is different", async () => {
    const { host, loader, rowHost, failures } = setUp();
    loader.setNews(rowHost.news);
    const refuse = async (): Promise<void> => {
      const id = host.calls("rows").at(-1)?.id ?? -1;
      host.send({ v: 1, id, t: "err", code: "failed", message: "no" });
      await settled();
    };
    await refuse();
    expect(failures).toEqual(["no"]);
    expect(host.calls("rows")).toHaveLength(1);
    loader.look(sight(3));
    expect(host.calls("rows")).toHaveLength(2);
    await refuse();
    loader.setNews(rowHost.setFile(1, "expired"));
    expect(host.calls("rows")).toHaveLength(3);
  });

  test("a request stays within the bounds of one", async () => {
    const { host, loader, rowHost, quiet } = setUp();
    loader.look({ first: 0, last: 120, top: null });
    loader.select(refOf({ ...(rowHost.rows[5] as (typeof rowHost.rows)[0]), callId: "x".repeat(ROW_LIMITS.text + 1) }));
    loader.setNews(rowHost.news);
    await quiet();
    expect(host.calls("rows").length).toBeGreaterThan(0);
    for (const { body } of host.calls("rows")) {
      expect((body as RowsAsked).count).toBeLessThanOrEqual(ROW_LIMITS.window);
      expect((body as RowsAsked).find).toEqual([{ index: 5, thread: null, callId: null }]);
    }
  });
});
