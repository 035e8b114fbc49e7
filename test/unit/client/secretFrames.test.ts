import { describe, expect, it } from "vitest";
import { DETAIL_TEXT_LIMIT } from "../../../extension/src/client/views/detail";
import { InspectorSession } from "../../../extension/src/client/views/inspectorSession";
import { type PageActions, PageLink } from "../../../extension/src/client/views/pageLink";
import { err, ok } from "../../../extension/src/core/model/problem";
import type { SecretFinder } from "../../../extension/src/core/ports";
import { secretFinder } from "../../../extension/src/node/secrets";
import type { Detail, HostFrame } from "../../../extension/src/protocol/webview";
import { FakeWorld, FIRST_ROWS, HEADER, persisted, result, settle } from "./fakes";

const TOKEN = `gh${"p_"}${"q7Rk".repeat(9)}`;
const SIGN = "[secret: github]";
const BODY = `first ${TOKEN}\nsecond ${TOKEN}\nthe end`;

const never = (): never => {
  throw new Error("not expected");
};

function open(body: string, finder: SecretFinder = secretFinder()) {
  const world = new FakeWorld();
  world.bodies = () => ok({ text: body, images: 0 });
  const session = new InspectorSession("/w/session.json", { ...world.ports, secrets: finder }, "en");
  const posted: HostFrame[] = [];
  const copied: string[] = [];
  const actions: PageActions = {
    openFull: never,
    outputPage: never,
    glance: async () => ({ title: null, window: null, windows: [] }),
    outputSecret: async (_session, _result, at) => (at === 6 ? ok(TOKEN) : err("not there")),
    reveal: never,
    copy: async (text) => void copied.push(text),
    rebase: never,
    whatIf: { diff: never, apply: never, exportRun: never },
  };
  const link = new PageLink({ session, actions, post: (frame) => posted.push(frame), log: world.log });
  session.read();
  const name = `env ${TOKEN}`;
  world.batch(
    { kind: "header", header: { ...HEADER, sessionId: `session ${TOKEN}`, model: TOKEN } },
    {
      kind: "thread",
      thread: { id: "main", title: `Use ${TOKEN}`, kind: "main", model: undefined, startedAt: undefined },
    },
    { kind: "result", result: result(0, { tool: name, callId: `call ${TOKEN}` }) },
    { kind: "result", result: persisted(1, `/home/u/.hermes/cache/${TOKEN}.txt`) },
  );
  let id = 0;
  const call = async (m: string, body: unknown): Promise<HostFrame | undefined> => {
    const wanted = id++;
    await link.receive({ v: 1, id: wanted, t: "call", m, body });
    return posted.find((frame) => frame.t !== "event" && frame.id === wanted);
  };
  return { world, link, posted, copied, call };
}

const detailOf = (frame: HostFrame | undefined): Detail => {
  if (frame?.t !== "ok") throw new Error(JSON.stringify(frame));
  return frame.body as Detail;
};

describe("what goes to the page", () => {
  it("holds no secret, whatever is asked for and told", async () => {
    const { world, posted, call } = open(BODY);
    await call("ready", { version: 1 });
    await call("rows", FIRST_ROWS);
    await call("overview", { thread: null });
    await call("detail", { index: 0 });
    await call("detail", { index: 1 });
    world.tick();
    world.end();
    await settle();
    await call("detail", { index: 99 });
    expect(posted.length).toBeGreaterThan(6);
    const all = JSON.stringify(posted);
    expect(all).toContain(SIGN);
    expect(all).not.toContain(TOKEN.slice(4));
  });

  it("keeps its order while it is looked at", async () => {
    const { world, posted, call } = open("x".repeat(10));
    await call("ready", { version: 1 });
    // A long text beside short ones.
    world.bodies = () => ok({ text: "y ".repeat(DETAIL_TEXT_LIMIT), images: 0 });
    const calls = [call("detail", { index: 0 }), call("cancelReading", {}), call("rows", FIRST_ROWS)];
    await Promise.all(calls);
    const ids = posted.flatMap((frame) => (frame.t === "event" ? [] : [frame.id]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(4);
  });

  it("is a refusal where it could not be checked", async () => {
    const broken: SecretFinder = { find: () => Promise.reject(new Error("no rules")) };
    const { world, posted, call } = open(BODY, broken);
    expect(await call("rows", FIRST_ROWS)).toMatchObject({ t: "err", code: "failed" });
    expect(JSON.stringify(posted)).not.toContain(TOKEN.slice(4));
    expect(world.log.lines.join()).toContain("no rules");
  });
});

describe("a detail's secrets", () => {
  it("are masked, and shown one at a time", async () => {
    const { call } = open(BODY);
    const { text, masks } = detailOf(await call("detail", { index: 0 }));
    expect(text).toBe(BODY.replaceAll(TOKEN, SIGN));
    expect(masks.map(({ start, end }) => text.slice(start, end))).toEqual([SIGN, SIGN]);
    for (const { at, units } of masks) {
      expect(BODY.slice(at, at + units)).toBe(TOKEN);
      expect(await call("showSecret", { index: 0, at, units })).toMatchObject({ t: "ok", body: { text: TOKEN } });
    }
  });

  it("are the only thing that is shown on demand", async () => {
    const { call } = open(BODY);
    for (const place of [
      { at: 0, units: BODY.length },
      { at: 6, units: TOKEN.length - 1 },
      { at: 0, units: 0 },
    ])
      expect(await call("showSecret", { index: 0, ...place })).toMatchObject({ t: "err", code: "not-found" });
    expect(await call("showSecret", { index: 0, at: -1, units: 2 })).toMatchObject({ t: "err", code: "bad-message" });
  });

  it("of a full output are shown one at a time as well", async () => {
    const { call, posted } = open(BODY);
    expect(await call("showOutputSecret", { index: 0, at: 6 })).toMatchObject({ t: "ok", body: { text: TOKEN } });
    expect(await call("showOutputSecret", { index: 0, at: 7 })).toMatchObject({ t: "err", code: "not-found" });
    expect(await call("showOutputSecret", { index: 99, at: 6 })).toMatchObject({ t: "err", code: "not-found" });
    expect(posted.filter((frame) => JSON.stringify(frame).includes(TOKEN))).toHaveLength(1);
  });

  it("are masked across the end of what is shown", async () => {
    const { call } = open(`${"x".repeat(DETAIL_TEXT_LIMIT - 11)} ${TOKEN} and more`);
    const { text, masks, capped } = detailOf(await call("detail", { index: 0 }));
    expect(capped).toBe(true);
    expect(text.endsWith(` ${SIGN}`)).toBe(true);
    const [mask] = masks;
    expect(await call("showSecret", { index: 0, at: mask?.at, units: mask?.units })).toMatchObject({
      body: { text: TOKEN.slice(0, 10) },
    });
  });

  it("are masked in what is copied", async () => {
    const { call, copied } = open(BODY);
    await call("copy", { index: 1, what: "path" });
    await call("copy", { index: 0, what: "preview" });
    await call("copy", { index: 0, what: "callId" });
    expect(copied).toEqual([`/home/u/.hermes/cache/${SIGN}.txt`, BODY.replaceAll(TOKEN, SIGN), `call ${SIGN}`]);
  });
});
