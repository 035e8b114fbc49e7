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

/**
 * The window that a model of this name has, tokens; undefined when the name says nothing. What an agent uses of it may be less.
 * @param seen the most tokens that were measured in a context. A long window that an agent has to ask for counts only where more
 *   than the short one was seen: Claude Code compacts by itself at 155,000 to 167,000 of 200,000. Undefined: as Hermes takes it.
 */
export function modelWindow(model: string, seen?: number): number | undefined {
  const name = model.toLowerCase();
  const [longest] = Object.keys(WINDOWS)
    .filter((part) => name.includes(part))
    .sort((a, b) => b.length - a.length);
  const window = longest === undefined ? undefined : WINDOWS[longest];
  const isLong = LONG_CLAUDE.test(name) && (seen === undefined || seen > (window ?? 0));
  return isLong ? LONG_CLAUDE_TOKENS : window;
}
