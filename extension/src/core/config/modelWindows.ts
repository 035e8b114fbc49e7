/**
 * Context windows by a part of the model's name, tokens; the longest part that fits wins. An excerpt of the table that Hermes
 * falls back on. Source: NousResearch/hermes-agent agent/model_metadata.py @00067189.
 */
const WINDOWS: Readonly<Record<string, number>> = {
  claude: 200_000,
  "gpt-5": 400_000,
  "gpt-4.1": 1_047_576,
  "gpt-4": 128_000,
  gemini: 1_048_576,
  deepseek: 128_000,
  "deepseek-v4": 1_000_000,
  qwen: 131_072,
  llama: 131_072,
  glm: 202_752,
  minimax: 204_800,
};
/** Opus and Sonnet from 4.6 on. A date after the main version is no minor version. */
const LONG_CLAUDE = /claude-(?:opus|sonnet)-(?:4[-.](?:[6-9]|[1-9]\d)|[5-9])(?!\d)/;
const LONG_CLAUDE_TOKENS = 1_000_000;

/** The window that a model of this name has, tokens; undefined when the name says nothing. What an agent uses of it may be less. */
export function modelWindow(model: string): number | undefined {
  const name = model.toLowerCase();
  if (LONG_CLAUDE.test(name)) return LONG_CLAUDE_TOKENS;
  const [longest] = Object.keys(WINDOWS)
    .filter((part) => name.includes(part))
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : WINDOWS[longest];
}
