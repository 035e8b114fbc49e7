import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { seeded } from "./configText";

/**
 * Made transcripts of any length, the same bytes for the same seed. Proportions follow real Claude Code files (5,600 lines
 * of versions 1.0.95 to 2.1.39: 3.5 kB per line on average and 1 kB in the middle, a third of the bytes `toolUseResult`, one
 * byte in forty a backslash, one line in seven with text outside ASCII). Sizes of results are log-normal.
 */
export interface Generated {
  readonly bytes: number;
  readonly lines: number;
  readonly results: number;
  readonly persisted: number;
}

const WORDS =
  "tide gauge surge harbour lantern quay ebb race signal beacon datum ledger ferry almanac station reading buoy channel drift night clerk keeps shifts returns const await return null undefined export function import".split(
    " ",
  );
const WIDE = ["Gezeitenübersicht für Süderhöft", "潮位の記録", "ночная сводка", "🌊 swell 0.8 m", "naïve café"];
/** Characters: the middle of the log-normal sizes, its spread (natural logarithm), and the longest. */
const RESULT = { median: 900, sigma: 1.9, max: 100_000 };
/** Characters above which a result is kept in a file (Bash output in Claude Code 2.1). */
const PERSISTED = 30_000;
const MODEL = "claude-sonnet-4-5-20250929";

/** Writes a Claude Code session of at least `bytes` bytes to `path`. */
export function writeClaudeTranscript(path: string, bytes: number, seed = 7): Generated {
  const random = seeded(seed);
  const file = openSync(path, "w");
  const total = { bytes: 0, lines: 0, results: 0, persisted: 0 };
  let buffer: string[] = [];
  let buffered = 0;
  const flush = (): void => {
    total.bytes += writeSync(file, buffer.join(""));
    buffer = [];
    buffered = 0;
  };
  try {
    for (const record of claudeRecords(random, total)) {
      const line = `${JSON.stringify(record)}\n`;
      buffer.push(line);
      buffered += line.length;
      total.lines += 1;
      if (buffered > 1 << 20) flush();
      if (total.bytes + buffered >= bytes) break;
    }
    flush();
  } finally {
    // What is measured next would share the processors with its way to the disk.
    fsyncSync(file);
    closeSync(file);
  }
  return total;
}

function* claudeRecords(random: () => number, total: { results: number; persisted: number }): Generator<unknown> {
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T;
  const hex = (length: number): string => Array.from({ length }, () => "0123456789abcdef"[int(0, 15)]).join("");
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  const session = uuid();
  // Texts are cut out of a pool: making each word anew would take longer than reading the file.
  const pool = makePool(random, pick, int);
  const text = (length: number): string => {
    const from = int(0, pool.length - length - 1);
    const cut = pool.slice(from, from + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
    return random() < 0.1 ? `${pick(WIDE)}\n${cut}` : cut;
  };
  const resultSize = (): number => {
    // Box-Muller; 1 - random() is never 0.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.min(RESULT.max, Math.max(2, Math.round(RESULT.median * Math.exp(RESULT.sigma * normal))));
  };
  let parent: string | null = null;
  let clock = Date.UTC(2026, 0, 5, 8);
  let context = 18_000;
  const envelope = (type: string, rest: object): unknown => {
    const id = uuid();
    clock += int(400, 9_000);
    const record = {
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: "/home/dana/tide-office",
      sessionId: session,
      version: "2.1.17",
      gitBranch: "main",
      type,
      ...rest,
      uuid: id,
      timestamp: new Date(clock).toISOString(),
    };
    parent = id;
    return record;
  };
  for (;;) {
    yield envelope("user", { message: { role: "user", content: text(int(20, 400)) }, permissionMode: "default" });
    for (let step = int(2, 12); step > 0; step -= 1) {
      const calls = Array.from({ length: random() < 0.2 ? int(2, 4) : 1 }, () => ({
        id: `toolu_01${hex(22)}`,
        name: pick(["Bash", "Read", "Grep", "Edit", "mcp__buoys__list"]),
      }));
      const written = int(200, 2_400);
      const usage = {
        input_tokens: int(3, 12),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: context,
        output_tokens: int(40, 900),
        service_tier: "standard",
      };
      context = context > 150_000 ? 20_000 : context + written;
      const message = { model: MODEL, id: `msg_01${hex(22)}`, type: "message", role: "assistant" };
      const requestId = `req_011${hex(21)}`;
      const blocks = [
        ...(random() < 0.5 ? [{ type: "text", text: text(int(30, 900)) }] : []),
        ...calls.map((call) => ({
          type: "tool_use",
          id: call.id,
          name: call.name,
          input: { command: text(int(10, 240)), description: text(30) },
        })),
      ];
      for (const block of blocks) {
        yield envelope("assistant", {
          message: { ...message, content: [block], stop_reason: null, stop_sequence: null, usage },
          requestId,
        });
      }
      for (const call of calls) {
        if (random() < 0.3) {
          yield envelope("progress", {
            data: { type: "bash_progress", output: text(int(20, 300)), elapsedTimeSeconds: int(1, 90) },
            toolUseID: call.id,
            parentToolUseID: call.id,
          });
        }
        total.results += 1;
        const size = resultSize();
        const full = text(size);
        const persisted = size > PERSISTED;
        if (persisted) total.persisted += 1;
        const content = persisted
          ? `<persisted-output>\nOutput too large (${(full.length / 1024).toFixed(1).replace(/\.0$/, "")}KB). Full output saved to: /home/dana/.claude/projects/-home-dana-tide-office/${session}/tool-results/${call.id}.txt\n\nPreview (first 2KB):\n${full.slice(0, 1_990)}\n...\n</persisted-output>`
          : full;
        yield envelope("user", {
          message: { role: "user", content: [{ tool_use_id: call.id, type: "tool_result", content }] },
          toolUseResult:
            random() < 0.4
              ? { stdout: full, stderr: "", interrupted: false, isImage: false }
              : {
                  type: "text",
                  file: {
                    filePath: `/home/dana/${hex(6)}.ts`,
                    ...(random() < 0.5 ? { content: full } : {}),
                    numLines: int(1, 900),
                  },
                },
        });
      }
    }
    yield envelope("system", { subtype: "turn_duration", durationMs: int(4_000, 90_000), isMeta: false });
  }
}

function makePool(
  random: () => number,
  pick: <T>(list: readonly T[]) => T,
  int: (low: number, high: number) => number,
): string {
  const parts: string[] = [];
  let length = 0;
  while (length < 400_000) {
    const part =
      random() < 0.18
        ? pick([
            "\n",
            "\n    ",
            "\n",
            '"',
            '": "',
            "\\n",
            " = {\n",
            "});\n",
            "\t",
            random() < 0.2 ? "\u001b[0m" : "\n\n",
          ])
        : `${pick(WORDS)}${random() < 0.1 ? `[${int(0, 9_999)}]` : ""} `;
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}
