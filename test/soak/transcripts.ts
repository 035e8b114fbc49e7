import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { codexCall, codexItem, codexLine, codexMeta, codexOutput, codexText } from "../unit/transcript/samplesCodex";
import { answer, jsonLines, prompt, toolResult, use } from "../unit/transcript/support";

/** A result as a plain reader finds it: the id of its call, and its length in the unit of its agent. */
export type PlainResult = readonly [id: string, chars: number];

/** Results in a file before it starts anew: what one page of rows can show. */
export const MOST_RESULTS = 400;

/** Whole numbers from `low` to `high`, both included. */
export type Chance = (low: number, high: number) => number;

/** A transcript that an agent is at work on. */
export interface Written {
  readonly path: string;
  /** Does one thing that happens to such files; its name. */
  step(chance: Chance): string | Promise<string>;
  /** Ends what is half done; the file is there and holds at least one result. */
  rest(chance: Chance): void | Promise<void>;
  /** What is in the file now, read without any code of ours. */
  read(): readonly PlainResult[] | Promise<readonly PlainResult[]>;
  end(): void | Promise<void>;
}

let made = 0;
/** A text whose length differs in UTF-16 units and code points. */
function someText(chance: Chance): string {
  const word = `${chance(0, 999)} tide gauge 🚢 `;
  return word.repeat(Math.max(1, Math.floor(chance(1, 60) ** 2 / 6))).trim();
}

interface LineKind {
  readonly head: () => string;
  /** One call and its result. */
  readonly pair: (id: string, text: string) => string;
  /** The result in a line of the file. */
  readonly resultOf: (record: Readonly<Record<string, unknown>>) => PlainResult | undefined;
}

interface Block {
  readonly type?: string;
  readonly tool_use_id?: string;
  readonly content?: string;
}

export const CLAUDE: LineKind = {
  head: () => jsonLines(prompt("begin")),
  pair: (id, text) => jsonLines(answer(`m-${id}`, use(id)), toolResult(id, text)),
  resultOf: (record) => {
    const { content } = (record["message"] ?? {}) as { readonly content?: unknown };
    const [block] = (Array.isArray(content) ? content : []) as readonly Block[];
    if (block?.type !== "tool_result") return undefined;
    return [String(block.tool_use_id), String(block.content).length];
  },
};

export const CODEX: LineKind = {
  head: () =>
    jsonLines(
      codexMeta(`s-${made++}`),
      codexText("user", "begin"),
      codexLine("turn_context", { turn_id: "t", model: "m" }),
    ),
  pair: (id, text) => jsonLines(codexCall(id), codexOutput(id, text), codexItem({ type: "reasoning", summary: [] })),
  resultOf: (record) => {
    const { type, call_id, output } = (record["payload"] ?? {}) as Readonly<Record<string, unknown>>;
    return type === "function_call_output" ? [String(call_id), [...String(output)].length] : undefined;
  },
};

/** A file of one record per line. */
export class Lines implements Written {
  /** The end of a line that was begun; undefined: the file ends in a whole one. */
  private left: string | undefined;
  private results = 0;

  constructor(
    readonly path: string,
    private readonly kind: LineKind,
  ) {
    this.begin();
  }

  step(chance: Chance): string {
    if (!existsSync(this.path)) return this.begin(chance);
    if (this.results > MOST_RESULTS) return this.rotate(chance);
    switch (chance(0, 19)) {
      case 0:
        return this.remove();
      case 1:
        return this.rotate(chance);
      case 2:
        return this.cut(chance, true);
      case 3:
        return this.cut(chance, false);
      case 4:
        truncateSync(this.path, 0);
        this.left = undefined;
        return "emptied";
      case 5: {
        // As editors and synchronisers write: beside it, then in its place.
        writeFileSync(`${this.path}.new`, readFileSync(this.path));
        renameSync(`${this.path}.new`, this.path);
        return "replaced by its copy";
      }
      case 6:
      case 7:
      case 8:
        return this.tear(chance);
      default:
        return this.append(chance(1, 8), chance);
    }
  }

  rest(chance: Chance): void {
    if (!existsSync(this.path)) this.begin(chance);
    this.append(1, chance);
    if (this.read().length === 0 || !this.startsWhole()) this.rotate(chance);
  }

  read(): readonly PlainResult[] {
    const found: PlainResult[] = [];
    for (const line of readFileSync(this.path, "utf8").split("\n")) {
      const record = parsed(line);
      const result = record && this.kind.resultOf(record);
      if (result !== undefined) found.push(result);
    }
    return found;
  }

  end(): void {
    rmSync(this.path, { force: true });
  }

  private begin(chance?: Chance): string {
    writeFileSync(this.path, this.kind.head());
    this.left = undefined;
    this.results = 0;
    if (chance !== undefined) this.append(chance(1, 4), chance);
    return "made";
  }

  private pair(chance: Chance): string {
    this.results++;
    return this.kind.pair(`call_${made++}`, someText(chance));
  }

  private append(count: number, chance: Chance): string {
    let text = this.left ?? "";
    for (let n = 0; n < count; n++) text += this.pair(chance);
    this.left = undefined;
    appendFileSync(this.path, text);
    return "appended";
  }

  private tear(chance: Chance): string {
    const text = Buffer.from((this.left ?? "") + this.pair(chance));
    // Anywhere, also inside a character; the rest is kept as text of bytes.
    const at = chance(1, text.length - 1);
    appendFileSync(this.path, text.subarray(0, at));
    const left = text.subarray(at);
    this.left = left.toString("latin1") === left.toString("utf8") ? left.toString("utf8") : undefined;
    if (this.left === undefined) appendFileSync(this.path, left);
    return "torn";
  }

  /** Shorter: at the end of a line, or in the middle of one. */
  private cut(chance: Chance, whole: boolean): string {
    const bytes = readFileSync(this.path);
    const at = chance(0, bytes.length);
    const end = whole ? bytes.lastIndexOf(10, at) + 1 : at;
    truncateSync(this.path, end);
    this.left = whole || end === 0 ? undefined : "\n";
    return whole ? "cut" : "cut inside a line";
  }

  private rotate(chance: Chance): string {
    renameSync(this.path, `${this.path}.1`);
    this.begin(chance);
    return "rotated";
  }

  private remove(): string {
    rmSync(this.path);
    return "removed";
  }

  /** A file whose beginning was cut away is of no format. */
  private startsWhole(): boolean {
    return parsed(readFileSync(this.path, "utf8").split("\n")[0] ?? "") !== undefined;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const CALLED = { name: "terminal", arguments: "{}" };

/** A session that Hermes writes as one JSON value: in place, or beside it and then in its place. */
export class OneValue implements Written {
  private messages: object[] = [];

  constructor(readonly path: string) {
    this.start();
  }

  step(chance: Chance): string {
    if (!existsSync(this.path)) this.start();
    else if (this.messages.length > 2 * MOST_RESULTS) this.start();
    switch (chance(0, 9)) {
      case 0:
        rmSync(this.path);
        return "removed";
      case 1:
        this.start();
        break;
      case 2:
        this.messages.splice(1 + 2 * chance(0, this.messages.length >> 1));
        break;
      case 3: {
        const text = this.text();
        writeFileSync(this.path, text.slice(0, chance(0, text.length)));
        return "half written";
      }
      default:
        this.add(chance(1, 6), chance);
    }
    return this.write(chance(0, 1) === 0);
  }

  rest(chance: Chance): void {
    this.add(1, chance);
    this.write(true);
  }

  read(): readonly PlainResult[] {
    const { messages } = JSON.parse(readFileSync(this.path, "utf8")) as {
      readonly messages: readonly { readonly role: string; readonly tool_call_id?: string; readonly content: string }[];
    };
    return messages
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id, content }) => [String(tool_call_id), [...content].length]);
  }

  end(): void {
    rmSync(this.path, { force: true });
  }

  private start(): void {
    this.messages = [{ role: "user", content: "begin" }];
    this.write(false);
  }

  private add(count: number, chance: Chance): void {
    for (let n = 0; n < count; n++) {
      const id = `call_${made++}`;
      this.messages.push(
        { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: CALLED }] },
        { role: "tool", tool_call_id: id, tool_name: "terminal", content: someText(chance) },
      );
    }
  }

  private text(): string {
    const facts = { session_id: "20260908_090003_1c40de", session_start: "2026-09-08T09:00:03", model: "m" };
    return JSON.stringify({ ...facts, messages: this.messages });
  }

  private write(beside: boolean): string {
    const target = beside ? `${this.path}.new` : this.path;
    writeFileSync(target, this.text());
    if (beside) renameSync(target, this.path);
    return beside ? "replaced" : "written";
  }
}

export const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
