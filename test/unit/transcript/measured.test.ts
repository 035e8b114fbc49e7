import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { ContextTimeline, contextOf } from "../../../extension/src/core/transcript/timeline";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { memorySource } from "./support";

/** Texts that were masked before they were published still say how long they were. */
const MASKED = /\[REDACTED_[A-Z]+ len=(\d+) sha=[0-9a-f]+\]/g;

/** Below this many tokens of growth framing and reasoning outweigh the texts. */
const ENOUGH_TOKENS = 5_000;

/**
 * Between the first and the last measured call the context grows by the texts that came in, so that what was counted must
 * explain what was measured. The tokens of the first call are left out: system prompt and tool schemas are in no file.
 */
describe.skipIf(!hasCorpus)("counted characters against measured tokens", () => {
  it("grow alike wherever a session states usage and was not compacted", async () => {
    const files = ["claude-code", "codex", "gemini-cli", "opencode", "openhands"].flatMap((folder) => [
      ...filesBelow(folder, ".jsonl"),
      ...filesBelow(folder, ".json"),
    ]);
    const ratios: [string, number][] = [];
    for (const file of files) {
      const content = readFileSync(corpusPath(file), "utf8").replaceAll(MASKED, (_, n: string) =>
        "x".repeat(Number(n)),
      );
      const timeline = new ContextTimeline();
      const summary = new Summary(timeline);
      const source = memorySource(content, file);
      for await (const batch of readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) summary.add(batch);
      for (const { id } of summary.threads()) {
        const { calls, compactions } = timeline.thread(id);
        const measured = calls.filter(({ usage }) => (contextOf(usage) ?? 0) > 0);
        const [first, last] = [measured[0], measured.at(-1)];
        if (first === undefined || last === undefined || compactions.length > 0) continue;
        const tokens = (contextOf(last.usage) ?? 0) - (contextOf(first.usage) ?? 0);
        if (tokens >= ENOUGH_TOKENS) ratios.push([`${file} ${id}`, (last.chars - first.chars) / 4 / tokens]);
      }
    }
    expect(ratios.length).toBeGreaterThan(20);
    // Code and CJK texts take fewer than four characters per token; thinking and reasoning are in context, not in the texts.
    expect(ratios.filter(([, ratio]) => ratio < 0.45 || ratio > 1.3)).toEqual([]);
  });
});
