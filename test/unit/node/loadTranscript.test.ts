import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { loadTranscript } from "../../../extension/src/node/simulation/loadTranscript";
import { answer, jsonLines, prompt, toolResult, use } from "../transcript/support";

const folder = mkdtempSync(join(tmpdir(), "load-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("a file that is removed once it was read is an answer, not a failure", async () => {
  const path = join(folder, "session.jsonl");
  writeFileSync(path, jsonLines(prompt("go"), answer("m", use("t")), toolResult("t", "x".repeat(100))));
  let isGone = false;
  const onProgress = (doneBytes: number, totalBytes: number): void => {
    if (doneBytes < totalBytes || isGone) return;
    isGone = true;
    rmSync(path);
  };
  const loaded = await loadTranscript(path, { format: undefined, onProgress }, NEVER_CANCELLED);
  expect(isGone).toBe(true);
  expect(loaded).toMatchObject({ ok: false, error: { severity: "error", message: expect.stringContaining(path) } });
});
