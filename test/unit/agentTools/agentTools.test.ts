import { describe, expect, it } from "vitest";
import { AGENT_TOOLS } from "../../../extension/src/core/agentTools/agentTool";
import { ASK_LIMITS, HEAD_UNITS } from "../../../extension/src/core/agentTools/limits";
import type { AgentToolPorts, FullText } from "../../../extension/src/core/agentTools/ports";
import { err, ok } from "../../../extension/src/core/model/problem";
import { findSecrets, harness, SESSION } from "./fakePorts";

const FULL: FullText = {
  text: "",
  isCut: false,
  from: "transcript",
  path: null,
  isFull: true,
  tool: "Bash",
  state: "inline",
  isError: false,
  notes: [],
};
const texts = (...all: readonly string[]): Partial<AgentToolPorts> => ({
  readResult: async (_, result) => ok({ ...FULL, text: all[result] ?? "" }),
});

/** Head and text of an answer. */
function parted(text: string): { readonly head: Readonly<Record<string, unknown>>; readonly body: string } {
  const at = text.indexOf("\n\n");
  return { head: JSON.parse(text.slice(0, at)), body: text.slice(at + 2) };
}

describe("the tools", () => {
  it("have names that editors and servers take, and schemas that name what is needed", () => {
    for (const { name, inputSchema, description } of AGENT_TOOLS) {
      expect(name).toMatch(/^[\w-]{1,64}$/);
      expect(description.length).toBeLessThan(1_024);
      for (const key of inputSchema.required) expect(Object.keys(inputSchema.properties)).toContain(key);
    }
  });

  it("say which there are when another one is called", async () => {
    for (const name of ["toString", "listEverything"]) {
      const answer = await harness().call(name, {});
      expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("contextBudget_readPage") });
    }
  });

  it("name the file that a question to people is about", () => {
    const { tools } = harness();
    expect(tools.fileOf("contextBudget_listResults", { transcript: SESSION })).toBe(SESSION);
    expect(tools.fileOf("contextBudget_explainBudget", { config: "/c.yaml" })).toBe("/c.yaml");
    expect(tools.fileOf("contextBudget_readPage", { transcript: SESSION, id: "r", offset: 0 })).toBeUndefined();
    expect(tools.fileOf("contextBudget_listSessions", {})).toBeUndefined();
    expect(tools.fileOf("contextBudget_listResults", { transcript: 7 })).toBeUndefined();
    expect(tools.fileOf("contextBudget_listResults", Object.create({ transcript: SESSION }))).toBeUndefined();
    expect(tools.fileOf("other", { transcript: SESSION })).toBeUndefined();
  });

  it("explain a budget without its secrets", async () => {
    const { call } = harness({ explainConfig: async ({ config }) => ok(`# ${config} SECRET-ABC`) });
    expect(await call("explainBudget", { config: "/a/config.yaml" })).toEqual({
      ok: true,
      text: "# /a/config.yaml [secret: test]",
    });
  });

  it("ask whether a file may be read before anything touches it", async () => {
    let touched = 0;
    const touch = async () => {
      touched++;
      return err({ message: "touched" });
    };
    const { call } = harness({
      mayRead: async (path, what, caller) => err({ message: `${path} (${what}) is not for ${caller.session}` }),
      listResults: touch,
      readResult: touch,
      explainConfig: touch,
      simulate: touch,
    });
    const sentence = `${SESSION} (transcript) is not for chat`;
    expect((await call("listResults", { transcript: SESSION })).text).toBe(sentence);
    expect((await call("readResult", { transcript: SESSION, result: 0 })).text).toBe(sentence);
    expect((await call("simulatePolicy", { transcript: SESSION, policy: { kind: "micro" } })).text).toBe(sentence);
    expect((await call("explainBudget", { config: "/c.yaml" })).text).toBe("/c.yaml (config) is not for chat");
    expect(touched).toBe(0);
  });
});

describe("a text", () => {
  it("of 24,000 units is whole, one more is a preview that can be read on to its end", async () => {
    const { call } = harness(texts("x".repeat(24_000), `${"x".repeat(20_000)}${"y".repeat(20_001)}`));
    const whole = parted((await call("readResult", { transcript: SESSION, result: 0 })).text);
    expect(whole.body).toBe("x".repeat(24_000));
    expect(whole.head).toMatchObject({ id: null, nextOffset: null, isFullOutput: true, restNotKept: false });
    const first = parted((await call("readResult", { transcript: SESSION, result: 1 })).text);
    expect(first.head).toMatchObject({ shownUtf16Units: 16_000, keptUtf16Units: 40_001, nextOffset: 16_000 });
    expect(first.body).toContain(`contextBudget_readPage with transcript "${SESSION}", id "${first.head["id"]}"`);
    let read = first.body.slice(0, 16_000);
    for (let offset = first.head["nextOffset"]; offset !== null; ) {
      const next = parted((await call("readPage", { transcript: SESSION, id: first.head["id"], offset })).text);
      read += next.body;
      offset = next.head["nextOffset"];
    }
    expect(read).toBe(`${"x".repeat(20_000)}${"y".repeat(20_001)}`);
  });

  it("splits no character at the preview's edge, whatever page is asked for", async () => {
    const text = `${"x".repeat(15_999)}${"😀".repeat(9_000)}`;
    const { call } = harness(texts(text));
    const { head, body } = parted((await call("readResult", { transcript: SESSION, result: 0 })).text);
    expect(head["shownUtf16Units"]).toBe(15_999);
    expect(body.startsWith("x".repeat(15_999))).toBe(true);
    const inside = await call("readPage", { transcript: SESSION, id: head["id"], offset: 16_000 });
    expect(parted(inside.text)).toMatchObject({ head: { offset: 15_999 }, body: text.slice(15_999, 31_999) });
  });

  it("loses a secret that lies across the edge before it is cut, and one across the end of what is looked at", async () => {
    const across = `${"x".repeat(15_990)}SECRET-${"A".repeat(30)}${"y".repeat(10_000)}`;
    const head = "z".repeat(ASK_LIMITS.readUnits - 16);
    const cut = `${head}SECRET-AB`;
    const { call } = harness({
      readResult: async (_, result) => ok({ ...FULL, text: result === 0 ? across : cut, isCut: result === 1 }),
    });
    const first = parted((await call("readResult", { transcript: SESSION, result: 0 })).text);
    expect(first.body.slice(0, 16_000)).toBe(`${"x".repeat(15_990)}[secret: t`);
    const rest = await call("readPage", { transcript: SESSION, id: first.head["id"], offset: 16_000 });
    expect(parted(rest.text).body).toBe(`est]${"y".repeat(10_000)}`);
    const second = parted((await call("readResult", { transcript: SESSION, result: 1 })).text);
    expect(second.head).toMatchObject({ keptUtf16Units: 128 * 1024, restNotKept: true });
    expect(second.body).toContain("Only a bounded portion was retained; the remaining tail was omitted.");
  });

  it("that was cut is no full text, however short its masks made it", async () => {
    const { call } = harness({
      readResult: async () => ok({ ...FULL, text: `SECRET-${"A".repeat(200_000)}${"b".repeat(20_000)}`, isCut: true }),
    });
    const { head, body } = parted((await call("readResult", { transcript: SESSION, result: 0 })).text);
    expect(body).toMatch(/^\[secret: test\]b+\n\n\[Large tool result:/);
    expect(head).toMatchObject({ restNotKept: true });
  });

  it("is not shown when nobody can tell whether it holds secrets", async () => {
    const { call, ports } = harness({
      ...texts("SECRET-ABC"),
      finder: { find: () => Promise.reject(new Error("rules")) },
    });
    const answer = await call("readResult", { transcript: SESSION, result: 0 });
    expect(answer.ok).toBe(false);
    expect(answer.text).not.toContain("SECRET");
    expect(ports.troubles).toEqual(["contextBudget_readResult failed"]);
  });

  it("comes as its preview with the reason when it cannot be kept, and is read once", async () => {
    let reads = 0;
    const { call } = harness({
      readResult: async () => {
        reads++;
        return ok({ ...FULL, text: "x".repeat(30_000), isError: true });
      },
      newId: () => {
        throw new Error("no ids");
      },
    });
    const answer = await call("readResult", { transcript: SESSION, result: 0 });
    const { head, body } = parted(answer.text);
    expect(answer.ok).toBe(true);
    expect(head).toMatchObject({ id: null, nextOffset: null, restNotKept: true, isError: true });
    expect(body).toContain("The remaining output could not be saved. The original operation was not retried.");
    expect(reads).toBe(1);
  });

  it("keeps NUL and other control characters, and says how long it is in a head of bounded length", async () => {
    const noisy = "\0\u001b]8;;".repeat(30);
    const { call } = harness({
      readResult: async () =>
        ok({
          ...FULL,
          text: "a\0b\u001b[2J",
          tool: noisy.repeat(100),
          path: noisy.repeat(100),
          notes: Array.from({ length: 50 }, () => noisy),
        }),
    });
    const { text } = await call("readResult", { transcript: SESSION, result: 0 });
    expect(text.indexOf("\n\n")).toBeLessThanOrEqual(HEAD_UNITS);
    expect(parted(text).body).toBe("a\0b\u001b[2J");
  });
});

describe("an id", () => {
  it("that is wrong, foreign, of another transcript, expired, or asked beyond its end gives one answer", async () => {
    const { call, ports } = harness(texts("x".repeat(30_000)));
    const { head } = parted((await call("readResult", { transcript: SESSION, result: 0 })).text);
    const { id } = head;
    const answers = [
      await call("readPage", { transcript: SESSION, id: "r-99999999-0000-4000-8000-000000000000", offset: 0 }),
      await call("readPage", { transcript: SESSION, id: "__proto__", offset: 0 }),
      await call("readPage", { transcript: SESSION, id, offset: 0 }, "another chat"),
      await call("readPage", { transcript: "/other.jsonl", id, offset: 0 }),
      await call("readPage", { transcript: SESSION, id, offset: 30_001 }),
    ];
    const good = await call("readPage", { transcript: SESSION, id, offset: 30_000 });
    ports.time.advance(60 * 60 * 1000);
    answers.push(await call("readPage", { transcript: SESSION, id, offset: 0 }));
    expect(good.ok).toBe(true);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.every((answer) => !answer.ok)).toBe(true);
  });

  it("can be read by a new turn of the same session, not by one that was stopped", async () => {
    const { call, tools } = harness(texts("x".repeat(30_000)));
    const { head } = parted((await call("readResult", { transcript: SESSION, result: 0 })).text);
    tools.endTurn("chat");
    tools.beginTurn("chat");
    const page = await call("readPage", { transcript: SESSION, id: head["id"], offset: 16_000 });
    expect(parted(page.text).body).toBe("x".repeat(14_000));
  });
});

describe("a call", () => {
  const STOPPED = { ok: false, text: expect.stringContaining("was stopped") };

  it("ends with its turn while secrets are looked for: nothing of it is kept", async () => {
    let release: (() => void) | undefined;
    let ids = 0;
    const found = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun: (() => void)[] = [];
    const looking = new Promise<void>((resolve) => begun.push(resolve));
    const { call, tools, ports } = harness({
      ...texts("x".repeat(30_000)),
      newId: () => `r-${String(ids++).padStart(36, "0")}`,
      finder: {
        find: async (text) => {
          begun[0]?.();
          if (text.length > 1_000) await found;
          return findSecrets(text);
        },
      },
    });
    const answer = call("readResult", { transcript: SESSION, result: 0 });
    await looking;
    tools.endTurn("chat");
    release?.();
    expect(await answer).toEqual(STOPPED);
    expect(ids).toBe(0);
    expect(ports.time.waiting).toBe(0);
  });

  it("ends with its token, with another turn and with the tools, however long a port takes", async () => {
    for (const stop of ["token", "turn", "end", "dispose"] as const) {
      const { call, tools, ports } = harness({ readResult: () => new Promise(() => undefined) });
      const token = { isCancellationRequested: false };
      const answer = call("readResult", { transcript: SESSION, result: 0 }, "chat", token);
      const other = call("listSessions", {}, "another");
      if (stop === "token") token.isCancellationRequested = true;
      if (stop === "turn") tools.beginTurn("chat");
      if (stop === "end") tools.endTurn("chat");
      if (stop === "dispose") tools.dispose();
      ports.time.advance(50);
      expect(await answer, stop).toEqual(STOPPED);
      expect((await other).text, stop).toMatch(stop === "dispose" ? /was stopped/ : /not in this test/);
      expect(ports.time.waiting).toBe(0);
    }
  });

  it("ends by itself after two minutes, and tells the port", async () => {
    let wanted: { readonly isCancellationRequested: boolean } | undefined;
    const { call, ports } = harness({
      simulate: (_, __, cancel) => {
        wanted = cancel;
        return new Promise(() => undefined);
      },
    });
    const answer = call("simulatePolicy", { transcript: SESSION, policy: { kind: "micro" } });
    await Promise.resolve();
    ports.time.advance(ASK_LIMITS.patienceMs - 50);
    expect(wanted?.isCancellationRequested).toBe(false);
    ports.time.advance(50);
    expect(await answer).toEqual({ ok: false, text: expect.stringContaining("took more than 120 seconds") });
    expect(wanted?.isCancellationRequested).toBe(true);
  });

  it("waits for no others beyond a number, whoever makes them", async () => {
    const { call, ports } = harness({ readResult: () => new Promise(() => undefined) });
    const calls = Array.from({ length: ASK_LIMITS.calls }, (_, n) =>
      call("readResult", { transcript: SESSION, result: n }, `chat ${n % 3}`),
    );
    expect(await call("listSessions", {})).toEqual({ ok: false, text: expect.stringContaining("Call again") });
    ports.time.advance(ASK_LIMITS.patienceMs);
    await Promise.all(calls);
    expect((await call("listSessions", {})).text).toBe("not in this test");
  });

  it("does nothing once the tools are closed", async () => {
    const { call, tools } = harness(texts("text"));
    tools.dispose();
    expect(await call("readResult", { transcript: SESSION, result: 0 })).toEqual(STOPPED);
  });

  it("that fails in a way nobody thought of says so, and nothing of it leaves", async () => {
    const { call, ports } = harness({
      listResults: () => Promise.reject(new TypeError("SECRET-INSIDE")),
    });
    const answer = await call("listResults", { transcript: SESSION });
    expect(answer.ok).toBe(false);
    expect(answer.text).not.toContain("SECRET");
    expect(ports.troubles).toEqual(["contextBudget_listResults failed"]);
  });

  it("is refused in bounded words without secrets", async () => {
    const { call } = harness({ mayRead: async () => err({ message: `SECRET-A ${"x".repeat(100_000)}` }) });
    const { text } = await call("listResults", { transcript: SESSION });
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/^\[secret: test\] x/);
  });
});
