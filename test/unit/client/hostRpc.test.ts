import { describe, expect, it } from "vitest";
import { type Handlers, HostRpc } from "../../../extension/src/client/views/hostRpc";
import { err, ok } from "../../../extension/src/core/model/problem";
import type { HostFrame } from "../../../extension/src/protocol/webview";
import { MemoryLog } from "./fakes";

function rpc(change: Partial<Handlers>) {
  const posted: HostFrame[] = [];
  const log = new MemoryLog();
  const never = () => Promise.reject(new Error("not expected"));
  const handlers: Handlers = {
    ready: never,
    overview: never,
    glance: never,
    rows: never,
    search: never,
    detail: never,
    showSecret: never,
    showOutputSecret: never,
    outputPage: never,
    handles: never,
    openFull: never,
    reveal: never,
    copy: never,
    rebase: never,
    cancelReading: async () => ok({}),
    reload: never,
    whatIfOpen: never,
    whatIfRun: never,
    whatIfAffected: never,
    whatIfCurve: never,
    whatIfDiff: never,
    whatIfApply: never,
    whatIfExport: never,
    ...change,
  };
  return { posted, log, rpc: new HostRpc((frame) => posted.push(frame), handlers, log, undefined) };
}
const call = (id: number, m: string, body: unknown = {}) => ({ v: 1, id, t: "call", m, body });

describe("HostRpc", () => {
  it("answers a call once", async () => {
    const { rpc: host, posted } = rpc({ openFull: async ({ index }) => ok({ opened: index === 7 }) });
    await host.receive(call(1, "openFull", { index: 7 }));
    expect(posted).toEqual([{ v: 1, id: 1, t: "ok", body: { opened: true } }]);
    expect(host.running).toBe(0);
  });

  it("passes expected failures on and turns a bug into one without its text", async () => {
    const {
      rpc: host,
      posted,
      log,
    } = rpc({
      detail: async () => err({ code: "not-found", message: "gone" }),
      reveal: () => Promise.reject(new Error("secret detail")),
    });
    await host.receive(call(1, "detail", { index: 0 }));
    await host.receive(call(2, "reveal", { line: 1 }));
    expect(posted).toMatchObject([
      { id: 1, t: "err", code: "not-found", message: "gone" },
      { id: 2, t: "err", code: "failed" },
    ]);
    expect(JSON.stringify(posted)).not.toContain("secret");
    expect(log.lines.join()).toContain("secret detail");
  });

  it("says what is wrong with a bad frame and writes it to the log", async () => {
    const { rpc: host, posted, log } = rpc({});
    await host.receive("nonsense");
    await host.receive(call(4, "format-disk"));
    await host.receive(call(5, "detail", { index: "x" }));
    expect(posted).toMatchObject([
      { id: 4, t: "err", code: "bad-message" },
      { id: 5, t: "err", code: "bad-message" },
    ]);
    expect(log.lines).toHaveLength(3);
  });

  it("answers a cancelled call with cancelled, and ignores an id in use", async () => {
    let release = (): void => undefined;
    const {
      rpc: host,
      posted,
      log,
    } = rpc({
      rebase: (_input, cancel) =>
        new Promise((done) => {
          release = () => done(cancel.isCancellationRequested ? ok({ changed: false }) : ok({ changed: true }));
        }),
    });
    const running = host.receive(call(1, "rebase"));
    await host.receive(call(1, "cancelReading"));
    await host.receive({ v: 1, id: 1, t: "cancel" });
    release();
    await running;
    expect(posted).toMatchObject([{ id: 1, t: "err", code: "cancelled" }]);
    expect(log.lines.join()).toContain("already in use");
  });

  it("answers what still runs on dispose, and is silent afterwards", async () => {
    let release = (): void => undefined;
    const { rpc: host, posted } = rpc({
      rebase: () =>
        new Promise((done) => {
          release = () => done(ok({ changed: true }));
        }),
    });
    const running = host.receive(call(9, "rebase"));
    host.dispose();
    release();
    await running;
    host.event("select/row", { index: 1 });
    await host.receive(call(10, "cancelReading"));
    expect(posted).toMatchObject([{ id: 9, t: "err", code: "disposed" }]);
  });

  it("bounds how many calls run at once", async () => {
    const { rpc: host, posted } = rpc({ rebase: () => new Promise(() => undefined) });
    for (let id = 0; id < 70; id++) void host.receive(call(id, "rebase"));
    await Promise.resolve();
    expect(host.running).toBe(64);
    expect(posted).toHaveLength(6);
    expect(posted[0]).toMatchObject({ t: "err", code: "failed" });
  });
});
