import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../../extension/src/cli/main";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { MARKERS } from "../../../extension/src/core/results/markers";
import { recognise } from "../../../extension/src/core/results/recognise";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeFiles } from "../../../extension/src/node/files";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { repoPath } from "../../corpus";
import { prepareSample } from "../../fixtures/prepareSample.mjs";
import { sample } from "../../fixtures/sample/sample.mjs";
import { fakeIo } from "./fakeIo";
import { validated } from "./schema";

const NOW = Date.UTC(2026, 9, 6, 12);
const made = sample();
let folder = "";

beforeAll(() => {
  folder = prepareSample(join(mkdtempSync(join(tmpdir(), "cbi-sample-")), "Tide Office"), NOW);
});
afterAll(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

const ioAt = (cwd: string) => fakeIo({}, { cwd, files: nodeFiles, utf8: nodeUtf8, clock: { now: () => NOW } });

describe("the sample workspace", () => {
  it("is what its script makes, byte for byte, and small", () => {
    const root = repoPath("test/fixtures/sample-workspace");
    const committed = Object.fromEntries(
      filesBelow(root).map((path) => [path, readFileSync(join(root, path), "utf8")]),
    );
    expect(Object.keys(committed)).toEqual(made.files.map(({ path }) => path).sort());
    for (const { path, text } of made.files) {
      expect(committed[path] === text, `${path}: run node test/fixtures/makeSample.mjs and commit`).toBe(true);
    }
    expect(Object.values(committed).reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(1_500_000);
  });

  it("is dated when it is copied", () => {
    for (const { path, ageHours = 0.5 } of made.files) {
      expect((NOW - statSync(join(folder, path)).mtimeMs) / 3_600_000, path).toBeCloseTo(ageHours, 3);
    }
  });

  it.each(made.transcripts.map((transcript) => [transcript.path, transcript] as const))(
    "%s shows what it promises",
    async (path, transcript) => {
      const io = ioAt(folder);
      expect(await run(["inspect", path, "--json"], io)).toBe(0);
      const report = validated(io.stdout.text, "inspectReport");
      const results = report.threads.flatMap((thread) => thread.results ?? []).sort((a, b) => a.index - b.index);
      expect(report).toMatchObject({ file: path, format: transcript.format, problems: [] });
      const shown = results.map(({ tool, callId, state, chars, statedChars, statedRounded, path, handle, file }) => ({
        tool,
        callId,
        state,
        chars,
        statedChars,
        statedRounded,
        path,
        handle,
        file: file.status,
      }));
      expect(shown).toEqual(transcript.results);
      for (const result of results) {
        if (result.file.status !== "ok" || result.statedChars === null || result.file.realChars === null) continue;
        // Claude Code's notices round to a tenth of 1,024 characters.
        const slack = result.statedRounded ? 52 : 0;
        expect(Math.abs(result.file.realChars - result.statedChars), result.callId ?? "").toBeLessThanOrEqual(slack);
      }
    },
  );

  it("covers every state, every file status that a disk can show, and every variant of its agents", async () => {
    const states = new Set<string>();
    const statuses = new Set<string>();
    const variants = new Set<string>();
    for (const { path, results } of made.transcripts) {
      for (const result of results) {
        states.add(result.state);
        statuses.add(result.file);
      }
      const source = await nodeFiles.open(join(folder, path));
      const index = await collect(readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED));
      for (const result of index.results) {
        if (result.body === undefined) continue;
        const body = await readBody(source, result.body, { utf8: nodeUtf8 });
        if (!body.ok) throw new Error(body.error.message);
        const context = { agent: index.header?.agent ?? "unknown", tool: result.tool };
        const { variant } = recognise(body.value.text, context);
        if (variant !== undefined) variants.add(variant);
      }
    }
    expect([...states].sort()).toEqual([
      "cleared",
      "duplicate",
      "handle",
      "inline",
      "missing",
      "persisted",
      "pruned",
      "truncated",
    ]);
    for (const status of [
      "none",
      "ok",
      "size-differs",
      "preview-differs",
      "expired",
      "missing",
      "other-machine",
      "sandbox",
      "outside",
    ]) {
      expect(statuses, status).toContain(status);
    }
    const ours = Object.entries(MARKERS).filter(([, marker]) =>
      ["hermes", "claude-code", "openmausbot"].includes(marker.agent),
    );
    expect(ours.length).toBeGreaterThan(15);
    expect([...variants].sort()).toEqual(expect.arrayContaining(ours.map(([variant]) => variant).sort()));
  });

  it("has one wrong config, one surprising one and one in order", async () => {
    const io = ioAt(folder);
    const files = [".hermes/config.yaml", "config/staging.yaml", ".hermes/profiles/nightwatch/config.yaml"];
    expect(await run(["check", ...files, "--json"], io)).toBe(1);
    const [wrong, surprising, fine] = validated(io.stdout.text, "checkReports");
    expect(wrong).toMatchObject({ verdict: "rejected", value: { repr: "'1e4'" } });
    expect(surprising).toMatchObject({ verdict: "accepted", threshold: 8_192, problems: [{ severity: "warning" }] });
    expect(fine).toMatchObject({ verdict: "accepted", threshold: 20_000, problems: [] });
  });

  it("lists its transcripts when the folder is inspected", async () => {
    const io = ioAt(folder);
    expect(await run(["inspect", ".", "--json", "--summary"], io)).toBe(0);
    const { reports } = validated(io.stdout.text, "inspectReports");
    expect(reports.map(({ file }) => file.split(sep).join("/")).sort()).toEqual(
      made.transcripts.map(({ path }) => `./${path}`).sort(),
    );
    expect(reports.every((report) => report.threads.every((thread) => thread.results === undefined))).toBe(true);
  });
});
