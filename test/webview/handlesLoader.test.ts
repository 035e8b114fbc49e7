import { expect, test } from "vitest";
import type { HandlesPage } from "../../extension/src/core/model/handlesPage";
import type { OutputPage } from "../../extension/src/protocol/webview";
import { HandlesLoader, INITIAL_HANDLES } from "../../webview/src/handles/handlesLoader";
import { PageLoader } from "../../webview/src/pageLoader";
import { Rpc } from "../../webview/src/rpc";
import { FakeHost, settled } from "./fakeHost";

const PAGE: HandlesPage = {
  counts: { never: 60, read: 0, repeated: 0, unknown: 0 },
  total: 60,
  from: 0,
  rows: [],
  omitted: 0,
  at: null,
  calls: null,
};

function open() {
  const host = new FakeHost();
  const kept: unknown[] = [];
  let changes = 0;
  const rpc: Rpc = new Rpc(host, {
    event: (message) => loader.take(message),
    badMessage: (what) => expect.unreachable(what),
  });
  const loader: HandlesLoader = new HandlesLoader(
    rpc,
    () => changes++,
    INITIAL_HANDLES,
    (setup) => kept.push(setup),
  );
  return { host, loader, kept, changes: () => changes };
}

test("handles are asked for when their tab is looked at, and again only when the transcript changed", async () => {
  const { host, loader } = open();
  host.send({ v: 1, t: "event", e: "whatIf/stale", body: {} });
  loader.setVisible(false);
  expect(host.calls("handles")).toHaveLength(0);
  loader.setVisible(true);
  expect(host.calls("handles")).toHaveLength(1);
  host.send({ v: 1, t: "event", e: "whatIf/progress", body: { what: "measuring", done: 3, total: 9 } });
  expect(loader.state.progress).toEqual({ what: "measuring", done: 3, total: 9 });
  host.answer("handles", { ...PAGE, total: 0, counts: { ...PAGE.counts, never: 0 } });
  await settled();
  expect(loader.state).toMatchObject({ loading: false, progress: null, stale: false });
  loader.setVisible(false);
  loader.setVisible(true);
  expect(host.calls("handles")).toHaveLength(1);
  host.send({ v: 1, t: "event", e: "whatIf/stale", body: {} });
  expect(loader.state.stale).toBe(true);
  // What is shown stays until the user looks again, here or by coming back.
  expect(host.calls("handles")).toHaveLength(1);
  loader.lookAgain();
  expect(host.calls("handles")).toHaveLength(2);
  expect(loader.state.stale).toBe(false);
});

test("a newer choice cancels the question before it, and is kept; another use begins at its first handle", async () => {
  const { host, loader, kept } = open();
  loader.setVisible(true);
  loader.showFrom(50);
  loader.setMoment({ kind: "end" });
  loader.setUse("read");
  expect(host.cancelled()).toHaveLength(3);
  expect(host.calls("handles").map(({ body }) => body)).toEqual([
    { moment: { kind: "now" }, use: null, from: 0, count: 50 },
    { moment: { kind: "now" }, use: null, from: 50, count: 50 },
    { moment: { kind: "end" }, use: null, from: 50, count: 50 },
    { moment: { kind: "end" }, use: "read", from: 0, count: 50 },
  ]);
  expect(kept.at(-1)).toEqual({ moment: { kind: "end" }, use: "read" });
  await settled();
});

test("a list that became shorter is shown from its beginning", async () => {
  const { host, loader } = open();
  loader.setVisible(true);
  loader.showFrom(100);
  host.answer("handles", { ...PAGE, from: 60 });
  await settled();
  expect(host.calls("handles").at(-1)?.body).toMatchObject({ from: 0 });
});

function openPages() {
  const host = new FakeHost();
  const offsets: (number | null)[] = [];
  const rpc = new Rpc(host, { event: () => undefined, badMessage: (what) => expect.unreachable(what) });
  const loader = new PageLoader(rpc, (offset) => offsets.push(offset));
  const answer = async (page: number): Promise<void> => {
    const body: OutputPage = {
      index: 4,
      text: "x",
      offset: page * 16_000,
      nextOffset: Math.min(40_000, (page + 1) * 16_000),
      length: 40_000,
      page,
      pages: 3,
      masked: false,
      masks: [],
      valid: true,
    };
    host.answer("outputPage", body);
    await settled();
  };
  const asked = (): unknown[] =>
    host.calls("outputPage").map(({ body }) => (body as { readonly offset: number }).offset);
  return { host, loader, offsets, answer, asked };
}

test("pages turn from where they are, and nothing is asked beyond the ends", async () => {
  const { loader, answer, asked } = openPages();
  loader.turn("next");
  loader.show(4, 0);
  await answer(0);
  loader.turn("previous");
  loader.turn("next");
  await answer(1);
  loader.turn("last");
  await answer(2);
  loader.turn("next");
  loader.turn("previous");
  await answer(1);
  loader.turn("first");
  expect(asked()).toEqual([0, 16_000, 39_999, 31_999, 0]);
});

test("the page before stays in sight while another is on its way; a newer question cancels it; a refusal keeps what was shown", async () => {
  const { host, loader, offsets, answer } = openPages();
  loader.show(4, 0);
  await answer(0);
  loader.turn("next");
  expect(loader.state).toMatchObject({ loading: true, offset: 16_000, page: { page: 0 } });
  loader.turn("last");
  expect(host.cancelled()).toHaveLength(1);
  const id = host.calls("outputPage").at(-1)?.id ?? -1;
  host.send({ v: 1, id, t: "err", code: "not-found", message: "It is gone." });
  await settled();
  expect(loader.state).toMatchObject({ loading: false, error: "It is gone.", page: { page: 0 } });
  loader.close();
  expect(loader.state).toBeNull();
  expect(offsets.at(-1)).toBeNull();
});

test("a result that has another index now keeps its page", async () => {
  const { host, loader, answer } = openPages();
  loader.show(4, 0);
  await answer(1);
  loader.follow(3, 9);
  expect(loader.state?.index).toBe(4);
  loader.follow(4, 9);
  expect(host.calls("outputPage").at(-1)?.body).toEqual({ index: 9, offset: 16_000 });
});
