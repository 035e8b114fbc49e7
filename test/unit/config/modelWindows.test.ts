import { expect, it } from "vitest";
import { modelWindow } from "../../../extension/src/core/config/modelWindows";

it.each([
  ["anthropic/claude-sonnet-4.6", 1_000_000],
  ["claude-opus-4-6", 1_000_000],
  ["claude-opus-4-10", 1_000_000],
  ["claude-sonnet-4-20250514", 200_000],
  ["claude-sonnet-4-5-20250929", 200_000],
  ["claude-3-5-haiku-20241022", 200_000],
  ["gpt-4.1-mini", 1_047_576],
  ["openai/GPT-5-codex", 400_000],
  ["gpt-4o", 128_000],
  ["deepseek-v4-pro", 1_000_000],
  ["deepseek-chat", 128_000],
  ["moonshotai/kimi-k2.5", undefined],
  ["", undefined],
])("the window of %s", (model, tokens) => {
  expect(modelWindow(model)).toBe(tokens);
});

it.each([
  ["claude-opus-4-6", 0, 200_000],
  ["claude-opus-4-6", 200_000, 200_000],
  ["claude-opus-4-6", 200_001, 1_000_000],
  ["claude-sonnet-4-5-20250929", 200_001, 200_000],
  ["gpt-5", 12, 400_000],
  ["unheard-of", 12, undefined],
])("the window of %s in a transcript that holds %i tokens", (model, seen, tokens) => {
  expect(modelWindow(model, seen)).toBe(tokens);
});
