import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { measureText } from "../../../extension/src/core/util/textSize";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { slowAnthropicResponse, slowChat, slowClaude, slowGateway, slowSnapshot } from "./slow/chats";
import { slowCodex } from "./slow/codex";
import type { Counts } from "./slow/counts";
import { slowGemini } from "./slow/geminiCli";
import {
  slowCopilotChat,
  slowCopilotEvents,
  slowLangchain,
  slowMiniSweAgent,
  slowNothing,
  slowOpencode,
  slowOpenhandsV0,
  slowOpenhandsV1,
  slowResponses,
  slowSweAgent,
  slowTrajectory,
} from "./slow/others";
import { bodyText, read } from "./support";

type Case = readonly [file: string, format: string, slow: (text: string) => Counts];
const cases = (files: readonly string[], format: string, slow: (text: string) => Counts): Case[] =>
  files.map((file) => [file, format, slow]);

const below = (folder: string, ending: string, name: RegExp): string[] =>
  filesBelow(folder, ending).filter((file) => name.test(file));

/** Every corpus file of a format; Hermes exports and databases are held against the agent's own readings elsewhere. */
export const GOLDEN: readonly Case[] = [
  ...cases(
    [...filesBelow("claude-code", ".jsonl"), ...below("derived", ".jsonl", /claude-code/)],
    "claude-code",
    slowClaude,
  ),
  ...cases(filesBelow("anthropic-messages", ".json"), "anthropic-messages", slowAnthropicResponse),
  ...cases(filesBelow("openai-chat", ".json"), "openai-chat", slowChat),
  ...cases(below("hermes", ".json", /sessions\/session_/), "hermes-snapshot", slowSnapshot),
  ...cases(below("hermes", ".jsonl", /sessions\//), "hermes-gateway", slowGateway),
  ...cases([...filesBelow("codex", ".jsonl"), "derived/codex-cut-mid-utf8.jsonl"], "codex", slowCodex),
  ...cases([...filesBelow("gemini-cli", ".json"), ...filesBelow("gemini-cli", ".jsonl")], "gemini-cli", slowGemini),
  ...cases(filesBelow("openai-responses", ".json"), "openai-responses", slowResponses),
  ...cases(filesBelow("opencode", "export.json"), "opencode-export", slowOpencode),
  ...cases(
    [...filesBelow("vscode-copilot-chat", ".jsonl"), "derived/vscode-chat-session-replayed.json"],
    "copilot-chat",
    slowCopilotChat,
  ),
  ...cases(filesBelow("copilot-cli", ".jsonl"), "copilot-events", slowCopilotEvents),
  ...cases(filesBelow("langchain", ".json"), "langchain", slowLangchain),
  ...cases(filesBelow("swe-agent", ".traj"), "swe-agent", slowSweAgent),
  ...cases(filesBelow("mini-swe-agent", ".json"), "mini-swe-agent", slowMiniSweAgent),
  ...cases(["openhands/v0-demo1.json"], "openhands", slowOpenhandsV0),
  ...cases(["openhands/v1-goal-events.jsonl"], "openhands", slowOpenhandsV1),
  ...cases(["openhands/v1-base_state.json"], "openhands", slowNothing),
  ...cases(
    ["hermes/trajectory_samples.jsonl", "hermes/failed_trajectories.jsonl"],
    "hermes-trajectory",
    slowTrajectory,
  ),
];

const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

function countsOf(index: TranscriptIndex): Counts {
  const results: Record<string, number> = {};
  for (const { state } of index.results) results[state] = (results[state] ?? 0) + 1;
  const usages = index.calls.map((call) => call.usage);
  return {
    messages: index.messages.filter((message) => message.index >= 0).length,
    calls: index.calls.length,
    results,
    persisted: index.results.filter((result) => result.state === "persisted").length,
    orphans: index.results.filter((result) => result.orphan).length,
    chars: sum(index.results.map((result) => result.size.codePoints)),
    input: sum(usages.flatMap((usage) => [usage?.input, usage?.cacheRead, usage?.cacheWrite])),
    output: sum(usages.map((usage) => usage?.output)),
  };
}

describe.skipIf(!hasCorpus)("agrees with a plain slow reader", () => {
  it.each(GOLDEN)("%s (%s)", async (file, format, slow) => {
    const content = readFileSync(corpusPath(file));
    const index = await read(content, {}, corpusPath(file));
    expect(index.header?.format).toBe(format);
    expect(countsOf(index)).toEqual(slow(content.toString("utf8")));
  });

  it.each(GOLDEN)("%s: every result's text is what was measured", async (file) => {
    const content = readFileSync(corpusPath(file));
    const index = await read(content, {}, corpusPath(file));
    for (const result of index.results) {
      if (result.body === undefined) continue;
      expect(measureText(await bodyText(content, result.body)), `result ${result.index}`).toEqual(result.size);
    }
    expect(index.results.map((result) => result.index)).toEqual(index.results.map((_, i) => i));
  });
});
