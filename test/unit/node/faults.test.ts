import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileSource, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { TableReading } from "../../../extension/src/core/transcript/table/tableReading";
import { nodeFiles } from "../../../extension/src/node/files";
import { IndexStore } from "../../../extension/src/node/indexStore";
import { type ServiceParts, TranscriptService } from "../../../extension/src/node/transcriptService";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { SAMPLES } from "../transcript/samples";
import { answer, jsonLines, memorySource, prompt, toolResult, use } from "../transcript/support";

const PORTS = { utf8: nodeUtf8 };
const refused = (code: string): Error => Object.assign(new Error(`${code}: made by the test`), { code });

/** Breaks the `at`-th read and all later ones. */
function breaking(
  file: FileSource,
  at: number,
  broken: (start: number, end: number) => Promise<Uint8Array>,
): FileSource {
  let reads = 0;
  return { ...file, read: (start, end) => (reads++ < at ? file.read(start, end) : broken(start, end)) };
}

async function readInto(file: FileSource, chunkBytes = 256) {
  const reading = new TableReading(PORTS, { chunkBytes });
  const steps = reading.advance(file, NEVER_CANCELLED);
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return { reading, end: step.value };
  }
}

const CLAUDE = jsonLines(
  ...Array.from({ length: 30 }, (_, i) => [
    prompt(`go ${i}`),
    answer(`m${i}`, use(`t${i}`)),
    toolResult(`t${i}`, "r".repeat(i * 10)),
  ]).flat(),
);

describe("faults of the file port", () => {
  it.each([["a long session", "claude-code", CLAUDE] as const, ...SAMPLES])(
    "%s: reads that give less than asked change nothing",
    async (_, format, content) => {
      const whole = memorySource(content);
      const expected = await collect(readTranscript(whole, PORTS, { format, chunkBytes: 256 }, NEVER_CANCELLED));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
          let turn = 0;
          const short: FileSource = {
            ...whole,
            read: (start, end) => whole.read(start, Math.min(end, start + (sizes[turn++ % sizes.length] ?? 1))),
          };
          expect(await collect(readTranscript(short, PORTS, { format, chunkBytes: 256 }, NEVER_CANCELLED))).toEqual(
            expected,
          );
          const reading = new TableReading(PORTS, { format, chunkBytes: 256 });
          const steps = reading.advance(short, NEVER_CANCELLED);
          while ((await steps.next()).done !== true);
          expect(reading.table.toIndex()).toEqual(expected);
        }),
        { seed: 5, numRuns: 5 },
      );
    },
  );

  it.each(["EIO", "ENOENT", "EACCES", "ESTALE"])(
    "a read that fails (%s) at any moment leaves what came before it, and says so once",
    async (code) => {
      const whole = memorySource(CLAUDE);
      const expected = await collect(readTranscript(whole, PORTS, {}, NEVER_CANCELLED));
      let all = false;
      for (let at = 0; !all; at++) {
        let hit = false;
        const file = breaking(whole, at, async () => {
          hit = true;
          throw refused(code);
        });
        const { reading, end } = await readInto(file);
        all = !hit;
        const { problems, results } = reading.table.toIndex();
        const told = problems.filter((problem) => problem.code === "read-failed" || problem.code === "unreadable");
        expect(told).toHaveLength(hit ? 1 : 0);
        // What is listed is what the whole file has there; calls whose result was not reached are missing.
        for (const result of results) {
          if (result.state !== "missing") expect(result).toEqual(expected.results[result.index]);
        }
        if (hit) expect(reading.goesOn).toBe(false);
        else expect(end).toBe("done");
      }
    },
  );

  it("a file that ends early while it is read gives its lines so far", async () => {
    const whole = memorySource(CLAUDE);
    for (let at = 0; at < 30; at++) {
      const { reading } = await readInto(breaking(whole, at, async () => new Uint8Array(0)));
      const { results } = reading.table.toIndex();
      expect(results.map(({ index }) => index)).toEqual(results.map((_, i) => i));
    }
  });

  it("an error that is no error of the platform is a bug, and is not hidden", async () => {
    const file = breaking(memorySource(CLAUDE), 3, async () => {
      throw new TypeError("a bug");
    });
    await expect(readInto(file)).rejects.toThrow("a bug");
  });
});

describe("faults of a file on disk", () => {
  let folder: string;
  let file: string;
  const trouble: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "faults-"));
    file = join(folder, "session.jsonl");
    trouble.length = 0;
    // Above what is stored at least.
    writeFileSync(
      file,
      CLAUDE.repeat(1) + jsonLines(...Array.from({ length: 300 }, (_, i) => prompt("x".repeat(1_000) + i))),
    );
  });
  afterEach(async () => {
    // One that is still storing would write into the folder while it is removed.
    await Promise.all(services.splice(0).map((service) => service.idle()));
    rmSync(folder, { recursive: true, force: true });
  });

  const services: TranscriptService[] = [];
  const open = (parts: Partial<ServiceParts> = {}) => {
    const service = new TranscriptService({
      path: file,
      format: undefined,
      store: new IndexStore({
        folder: join(folder, "store"),
        limitBytes: 50_000_000,
        reader: "r",
        trouble: (message) => trouble.push(message),
      }),
      copy: {},
      news: () => undefined,
      trouble: (message) => trouble.push(message),
      ...parts,
    });
    services.push(service);
    return service;
  };

  it("vanishes before it is opened, and comes back", async () => {
    const content = readFileSync(file);
    rmSync(file);
    const service = open();
    const gone = await service.read(false, NEVER_CANCELLED);
    expect(gone).toMatchObject({ end: "broken", view: { header: undefined } });
    expect(gone.view.problems).toHaveLength(1);
    writeFileSync(file, content);
    expect(await service.look(NEVER_CANCELLED)).toMatchObject({ end: "done", view: { count: 30 } });
  });

  it("vanishes between two looks, and its stored index is not taken for another file", async () => {
    const service = open();
    await service.read(false, NEVER_CANCELLED);
    await service.idle();
    rmSync(file);
    expect(await service.look(NEVER_CANCELLED)).toMatchObject({ end: "kept", view: { count: 30 } });
    expect(readdirSync(join(folder, "store"))).toHaveLength(1);
    expect(await open().read(false, NEVER_CANCELLED)).toMatchObject({ end: "broken", view: { count: 0 } });
    expect(readdirSync(join(folder, "store"))).toEqual([]);
    writeFileSync(file, jsonLines(prompt("other")));
    const other = await open().read(false, NEVER_CANCELLED);
    expect(other).toMatchObject({ end: "done", source: "file", view: { count: 0 } });
  });

  it("shrinks or grows while it is read: what is stored is never taken for the file as it is then", async () => {
    for (const change of [
      () => truncateSync(file, 100_000),
      () => appendFileSync(file, jsonLines(prompt("late"), answer("m-late", use("t-late")))),
      () => writeFileSync(file, jsonLines(prompt("another one"))),
    ]) {
      let changed = false;
      const service = open({
        news: () => {
          if (changed) return;
          changed = true;
          change();
        },
      });
      await service.read(true, NEVER_CANCELLED);
      await service.idle();
      expect(changed).toBe(true);
      const again = open();
      await again.read(false, NEVER_CANCELLED);
      const anew = open({ store: undefined });
      await anew.read(true, NEVER_CANCELLED);
      expect(again.shown.table.toIndex()).toEqual(anew.shown.table.toIndex());
      expect(again.shown.view()).toEqual(anew.shown.view());
      expect(await service.look(NEVER_CANCELLED)).toMatchObject({ end: expect.stringMatching(/done|same/) });
      expect(service.shown.view()).toEqual(anew.shown.view());
    }
  });

  it("may not be read for a while", async () => {
    let refuse = false;
    const service = open({
      open: async (path) => {
        if (refuse) throw refused("EACCES");
        return nodeFiles.open(path);
      },
    });
    await service.read(false, NEVER_CANCELLED);
    appendFileSync(file, jsonLines(prompt("more"), answer("m-more", use("t-more"))));
    refuse = true;
    for (const end of ["broken", "kept", "kept"]) {
      const kept = await service.look(NEVER_CANCELLED);
      expect(kept).toMatchObject({ end, view: { count: 30, problems: [{ code: "unreadable" }] } });
      expect(kept.view.problems[0]?.message).toContain("may not be read by this user");
    }
    refuse = false;
    expect(await service.look(NEVER_CANCELLED)).toMatchObject({ end: "done", view: { count: 31, problems: [] } });
  });

  const mayRead = process.getuid?.() === 0;
  it.skipIf(mayRead || process.platform === "win32")("loses its permission", async () => {
    const service = open();
    await service.read(false, NEVER_CANCELLED);
    appendFileSync(file, jsonLines(prompt("more")));
    chmodSync(file, 0);
    expect(await service.look(NEVER_CANCELLED)).toMatchObject({ end: "kept" });
    chmodSync(file, 0o600);
    expect(await service.look(NEVER_CANCELLED)).toMatchObject({ end: "done" });
  });
});
