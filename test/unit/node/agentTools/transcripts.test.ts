import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ok } from "../../../../extension/src/core/model/problem";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import {
  TRANSCRIPT_LIMITS,
  type TranscriptLimits,
  Transcripts,
} from "../../../../extension/src/node/agentTools/transcripts";
import { hermesSession, SimulationFolder } from "../simulation";

/** Threads of this process. */
const threads = (): number => {
  const report = process.report?.getReport() as unknown as { readonly workers: readonly unknown[] };
  return report.workers.length;
};

describe("transcripts that are open for agents", () => {
  let folder: SimulationFolder;
  const open: Transcripts[] = [];
  const logged: string[] = [];
  beforeAll(() => {
    folder = new SimulationFolder();
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.dispose();
    expect(logged.splice(0)).toEqual([]);
  });
  afterAll(() => folder.dispose());

  const make = (limits: Partial<TranscriptLimits> = {}): Transcripts => {
    const say = (text: string): void => void logged.push(text);
    const one = new Transcripts({
      log: { info: say, warn: say, error: say },
      workerFile: folder.workerFile,
      limits: { ...TRANSCRIPT_LIMITS, ...limits },
    });
    open.push(one);
    return one;
  };
  const session = (name: string): string =>
    folder.write(
      `${name}.json`,
      hermesSession(3, () => 100),
    );
  const count = (of: Transcripts, path: string) => of.use(path, NEVER_CANCELLED, async ({ view }) => ok(view.count));

  it("let go of their thread when nobody asks, and read again when somebody does", async () => {
    const none = threads();
    const of = make({ idleMs: 1 });
    const path = session("idle");
    expect(await count(of, path)).toEqual(ok(3));
    await expect.poll(threads).toBe(none);
    const rows = await of.use(path, NEVER_CANCELLED, async ({ table }) => ok(await table.ask("result", { index: 1 })));
    expect(rows).toMatchObject({ ok: true, value: { result: { index: 1 } } });
  });

  it("are few: the one asked longest ago is let go of, never one that is asked", async () => {
    const none = threads();
    const of = make({ open: 2 });
    const [first, ...others] = ["a", "b", "c", "d"].map(session);
    let release: (() => void) | undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = of.use(first ?? "", NEVER_CANCELLED, async ({ table }) => {
      await waiting;
      return ok((await table.ask("result", { index: 0 }))?.result.index);
    });
    for (const path of others) expect(await count(of, path)).toEqual(ok(3));
    await expect.poll(() => threads() - none).toBe(2);
    release?.();
    expect(await slow).toEqual(ok(0));
  });

  it("refuse one more when enough are being read, and nothing once they are closed", async () => {
    const of = make({ busy: 1 });
    const [one = "", other = ""] = ["busy", "other"].map(session);
    const refused = await of.use(one, NEVER_CANCELLED, async () => {
      // The same one may be asked again meanwhile.
      expect(await count(of, one)).toEqual(ok(3));
      return count(of, other);
    });
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining("Call again") } });
    expect(await count(of, other)).toEqual(ok(3));
    of.dispose();
    expect(await count(of, one)).toMatchObject({ ok: false, error: { message: "The tools were closed." } });
  });

  it("parse no record that is too large for it, and say where it stands", async () => {
    const of = make({ recordBytes: 50 });
    const path = session("record");
    const text = await of.use(path, NEVER_CANCELLED, async ({ table, text: textOf }) => {
      const body = (await table.ask("result", { index: 0 }))?.result.body;
      return body === undefined ? ok({ text: "no body" }) : textOf(body);
    });
    expect(text).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^Line \d+ of .*bytes, too many/) },
    });
  });

  it("say what is wrong with a file that is none", async () => {
    const of = make();
    const path = folder.write("none.json", '{"a": 1}');
    expect(await count(of, path)).toMatchObject({ ok: false, error: { message: expect.stringContaining(path) } });
    const gone = `${path}.gone`;
    expect(await count(of, gone)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("does not exist") },
    });
  });
});
