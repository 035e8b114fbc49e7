import { modelWindow } from "../../core/config/modelWindows";

/** How full a context is, as far as it is known. */
export interface Fill {
  /** Measured tokens of the newest call; null: a compaction came after it, and only the next call tells. */
  readonly tokens: number | null;
  /** Context window; undefined = not known. */
  readonly window: { readonly tokens: number; readonly from: "transcript" | "setting" | "model" } | undefined;
}

const CELLS = 5;

/** The window to measure a context against: what the transcript states, else the user's setting, else what the model's name says. */
export function windowFor(
  parts: {
    readonly stated: number | undefined;
    readonly setting: number | undefined;
    readonly model: string | undefined;
  },
  tokens: number | null,
): Fill["window"] {
  const { stated, setting, model } = parts;
  if (stated !== undefined && stated > 0) return { tokens: stated, from: "transcript" };
  const named = setting ?? (model === undefined ? undefined : modelWindow(model, tokens ?? 0));
  // More in it than it holds: then the window is another one.
  if (named === undefined || (tokens ?? 0) > named) return undefined;
  return { tokens: named, from: setting === undefined ? "model" : "setting" };
}

/** `193k / 1M ▮▯▯▯▯`, `193k tok` without a window, empty when nothing is known. */
export function gauge({ tokens, window }: Fill): string {
  if (tokens === null) return "";
  if (window === undefined) return `${shortTokens(tokens)} tok`;
  const full = Math.min(CELLS, Math.max(tokens > 0 ? 1 : 0, Math.round((tokens / window.tokens) * CELLS)));
  return `${shortTokens(tokens)} / ${shortTokens(window.tokens)} ${"▮".repeat(full)}${"▯".repeat(CELLS - full)}`;
}

/** `950`, `193k`, `1M`, `1.05M`: three digits at most, in decimal units. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`;
  return `${Number((tokens / 1_000_000).toPrecision(3))}M`;
}

/** Where the window comes from, in words that go on after its size. */
export const WINDOW_WORDS: Readonly<Record<"transcript" | "setting" | "model", string>> = {
  transcript: "as the transcript states",
  setting: "from your settings",
  model: "by the model's name; the agent may use less",
};
