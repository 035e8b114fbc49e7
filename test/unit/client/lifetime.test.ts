import { describe, expect, it } from "vitest";
import { CancelSource, Lifetime, Signal } from "../../../extension/src/client/lifetime";

describe("Lifetime", () => {
  it("disposes in reverse order, once, and reports every failure together", () => {
    const order: string[] = [];
    const lifetime = new Lifetime();
    lifetime.add({ dispose: () => order.push("a") });
    lifetime.add({
      dispose: () => {
        order.push("b");
        throw new Error("b broke");
      },
    });
    lifetime.add({ dispose: () => order.push("c") });
    expect(() => lifetime.dispose()).toThrow(AggregateError);
    expect(order).toEqual(["c", "b", "a"]);
    lifetime.dispose();
    expect(order).toHaveLength(3);
  });

  it("disposes at once what comes too late", () => {
    const lifetime = new Lifetime();
    lifetime.dispose();
    let disposed = false;
    lifetime.add({
      dispose: () => {
        disposed = true;
      },
    });
    expect(disposed).toBe(true);
    expect(lifetime.size).toBe(0);
  });
});

describe("Signal", () => {
  it("reaches the others when a listener throws", () => {
    const failures: unknown[] = [];
    const signal = new Signal<number>((error) => failures.push(error));
    const heard: number[] = [];
    signal.on(() => {
      throw new Error("no");
    });
    const second = signal.on((value) => heard.push(value));
    signal.fire(1);
    second.dispose();
    signal.fire(2);
    expect(heard).toEqual([1]);
    expect(failures).toHaveLength(2);
    expect(signal.listeners).toBe(1);
  });
});

describe("CancelSource", () => {
  it("calls back once, also for those who come later", () => {
    const source = new CancelSource();
    let calls = 0;
    source.onCancel(() => calls++);
    source.cancel();
    source.cancel();
    source.onCancel(() => calls++);
    expect(source.isCancellationRequested).toBe(true);
    expect(calls).toBe(2);
  });
});
