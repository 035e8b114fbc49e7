/** Whatever JSON holds; these readers look at it without any ceremony. */
export type Json = ReturnType<typeof JSON.parse>;

/** What the golden check compares. Sizes are code points of the results' texts. */
export interface Counts {
  messages: number;
  calls: number;
  results: Record<string, number>;
  persisted: number;
  orphans: number;
  chars: number;
  /** Tokens of all calls: input with everything cached, and output. */
  input: number;
  output: number;
}

/** Adds up what a plain reader meets. Pairing: a list of open call ids, newest last. */
export class Tally {
  readonly counts: Counts = {
    messages: 0,
    calls: 0,
    results: {},
    persisted: 0,
    orphans: 0,
    chars: 0,
    input: 0,
    output: 0,
  };
  private readonly open: string[] = [];

  message(): void {
    this.counts.messages++;
  }

  call(input = 0, output = 0): void {
    this.counts.calls++;
    this.usage(input, output);
  }

  usage(input = 0, output = 0): void {
    this.counts.input += input;
    this.counts.output += output;
  }

  asked(id: string): void {
    this.open.push(id);
  }

  result(id: string | undefined, text: string): void {
    const at = id === undefined ? -1 : this.open.lastIndexOf(id);
    if (at < 0) this.counts.orphans++;
    else this.open.splice(at, 1);
    const state = stateOf(text);
    this.counts.results[state] = (this.counts.results[state] ?? 0) + 1;
    if (state === "persisted") this.counts.persisted++;
    this.counts.chars += [...text].length;
  }

  end(): Counts {
    if (this.open.length > 0) this.counts.results["missing"] = this.open.length;
    return this.counts;
  }
}

/** The notices that these corpus files hold, by a plain look. */
function stateOf(text: string): string {
  if (/^\s*<persisted-output>\nThis tool result was too large/m.test(text)) return "persisted";
  if (/\[Truncated: tool response was [\d,]+ chars/.test(text)) return "truncated";
  return "inline";
}

/** Text of a string, or of a list of parts with `text`. */
export function textOf(content: Json): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === null || content === undefined ? "" : JSON.stringify(content);
  return content.map((part: Json) => (typeof part === "string" ? part : (part.text ?? ""))).join("");
}

/** Lines that are whole JSON. */
export function linesOf(text: string): Json[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line.trim() === "" ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
