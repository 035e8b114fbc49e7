import { describe, expect, test } from "vitest";
import { type EventMessage, Rpc, RpcError } from "../../webview/src/rpc";
import { FakeHost } from "./fakeHost";

function setUp() {
  const host = new FakeHost();
  const events: EventMessage[] = [];
  const bad: string[] = [];
  const rpc = new Rpc(host, { event: (message) => events.push(message), badMessage: (what) => bad.push(what) });
  return { host, rpc, events, bad };
}
const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error instanceof RpcError ? error.code : error),
  );

describe("rpc", () => {
  test("replies find their call, in any order", async () => {
    const { host, rpc } = setUp();
    const first = rpc.call("reveal", { line: 1 });
    const second = rpc.call("copy", { index: 2, what: "path" });
    expect(host.frames).toEqual([
      { v: 1, id: 1, t: "call", m: "reveal", body: { line: 1 } },
      { v: 1, id: 2, t: "call", m: "copy", body: { index: 2, what: "path" } },
    ]);
    host.send({ v: 1, id: 2, t: "ok", body: { copied: true } });
    host.send({ v: 1, id: 1, t: "ok", body: { opened: false } });
    expect(await first).toEqual({ opened: false });
    expect(await second).toEqual({ copied: true });
  });

  test("an err frame rejects with its code and message", async () => {
    const { host, rpc } = setUp();
    const call = rpc.call("detail", { index: 4 });
    host.send({ v: 1, id: 1, t: "err", code: "not-found", message: "no result 4" });
    await expect(call).rejects.toMatchObject({ code: "not-found", message: "no result 4" });
  });

  test("a reply of another shape rejects and is reported", async () => {
    const { host, rpc, bad } = setUp();
    const call = code(rpc.call("detail", { index: 4 }));
    host.send({ v: 1, id: 1, t: "ok", body: { index: "4" } });
    expect(await call).toBe("bad-message");
    expect(bad).toEqual(["reply to detail"]);
  });

  test("aborting tells the host, rejects at once, and the late reply is ignored", async () => {
    const { host, rpc, bad } = setUp();
    const abort = new AbortController();
    const call = code(rpc.call("detail", { index: 4 }, abort.signal));
    abort.abort();
    expect(await call).toBe("cancelled");
    expect(host.cancelled()).toEqual([1]);
    host.send({ v: 1, id: 1, t: "ok", body: {} });
    expect(bad).toEqual([]);
  });

  test("an aborted signal sends nothing; aborting after the reply sends nothing", async () => {
    const { host, rpc } = setUp();
    const abort = new AbortController();
    const call = rpc.call("reveal", { line: 1 }, abort.signal);
    host.answer("reveal", { opened: true });
    await call;
    abort.abort();
    expect(await code(rpc.call("reveal", { line: 2 }, abort.signal))).toBe("cancelled");
    expect(host.frames).toHaveLength(1);
  });

  test("dispose rejects what is open, stops listening, and later calls reject", async () => {
    const { host, rpc } = setUp();
    const open = [code(rpc.call("reload", {})), code(rpc.call("rebase", {}))];
    rpc.dispose();
    rpc.dispose();
    expect(await Promise.all(open)).toEqual(["disposed", "disposed"]);
    expect(await code(rpc.call("reload", {}))).toBe("disposed");
    expect(host.listening).toBe(0);
    expect(host.frames).toHaveLength(2);
  });

  test("events pass their guard or are reported", () => {
    const { host, events, bad } = setUp();
    host.send({ v: 1, t: "event", e: "select/row", body: { index: 3 } });
    host.send({ v: 1, t: "event", e: "select/row", body: { index: -3 } });
    expect(events).toEqual([{ e: "select/row", body: { index: 3 } }]);
    expect(bad).toEqual(["event select/row"]);
  });

  test.each([
    [undefined],
    [null],
    ["text"],
    [[]],
    [{ v: 2, t: "event", e: "select/row", body: { index: 1 } }],
    [{ v: 1, t: "event", e: "no/such", body: {} }],
    [{ v: 1, t: "ok" }],
    [{ v: 1, id: 1, t: "err", code: "odd", message: "x" }],
    [{ v: 1, id: 1, t: "call", m: "ready", body: {} }],
  ])("%j is dropped and reported", async (data) => {
    const { host, rpc, events, bad } = setUp();
    const call = code(rpc.call("reload", {}));
    host.raw(data);
    expect(bad).toEqual(["message"]);
    expect(events).toEqual([]);
    rpc.dispose();
    expect(await call).toBe("disposed");
  });
});
