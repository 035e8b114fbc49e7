import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { TestHandles } from "../../extension/src/client/activate";
import type { InspectorSession } from "../../extension/src/client/views/inspectorSession";
import { NO_FILTER, type ResultRow, ROW_LIMITS } from "../../extension/src/core/model/rowQuery";
import { activated } from "./support";

/** Longest wait for something that an event announces, milliseconds. VS Code 1.100 alone may keep a page waiting for 30 s. */
const DEADLINE_MS = 45_000;

/** The activated extension from the inside; it gives this out only in tests. */
export async function handles(): Promise<TestHandles> {
  const extension = (await activated()) as vscode.Extension<TestHandles | undefined>;
  assert.ok(extension.exports, "the extension gave out no handles");
  return extension.exports;
}

export interface ExpectedResult {
  readonly tool: string | null;
  readonly state: string;
  readonly path: string | null;
  readonly handle: string | null;
  readonly file: string;
}

export interface ExpectedTranscript {
  readonly path: string;
  readonly results: readonly ExpectedResult[];
}

/** What the sample's maker says that its transcripts hold. */
export function expectedTranscripts(): readonly ExpectedTranscript[] {
  const repository = process.env["CONTEXT_BUDGET_REPOSITORY"];
  assert.ok(repository);
  const expected = JSON.parse(readFileSync(join(repository, "test/fixtures/sampleExpected.json"), "utf8"));
  assert.ok(expected.transcripts.length > 0);
  return expected.transcripts;
}

/** Resolves when the condition holds: asked now, on every event, and now and then for what has no event. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ...events: readonly ((listener: () => unknown) => vscode.Disposable)[]
): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (!(await holds())) {
    const left = end - Date.now();
    if (left <= 0) throw new Error(`still not after ${DEADLINE_MS} ms: ${what}`);
    await new Promise<void>((done) => {
      const subscriptions = events.map((event) => event(() => finish()));
      const timer = setTimeout(() => finish(), Math.min(left, 50));
      function finish(): void {
        clearTimeout(timer);
        for (const one of subscriptions) one.dispose();
        done();
      }
    });
  }
}

/** The first rows of a transcript, in its own order. */
export async function rowsOf(session: InspectorSession): Promise<readonly ResultRow[]> {
  const part = { from: 0, count: ROW_LIMITS.window, around: null, find: [], summary: false };
  const query = { filter: NO_FILTER, sort: null, within: null };
  return (await session.rows({ ...part, query })).rows;
}

/** Answers for the user while `run` runs, then asks for real again. */
export async function answering<T>(answers: Partial<TestHandles["prompts"]>, run: () => Promise<T>): Promise<T> {
  const { prompts } = await handles();
  const before = { ...prompts };
  Object.assign(prompts, answers);
  try {
    return await run();
  } finally {
    Object.assign(prompts, before);
  }
}
