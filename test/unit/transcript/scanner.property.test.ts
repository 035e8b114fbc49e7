import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recognise } from "../../../extension/src/core/results/recognise";
import { couldBeNotice, flatten } from "../../../extension/src/core/transcript/flatten";
import { own, parseRecord } from "../../../extension/src/core/transcript/json";
import { isFormatId } from "../../../extension/src/core/transcript/readers/index";
import { endsOf, findLongStrings, measureEscaped } from "../../../extension/src/core/transcript/skim";
import { StructureScanner } from "../../../extension/src/core/transcript/structure";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { answer, claudeBlock, events, jsonLines, memorySource, plainUtf8, prompt, toolResult, use } from "./support";

const SEED = { seed: 20261130, numRuns: 150 };

/** Text of every kind that reaches a transcript: ASCII, escapes, all planes, lone surrogates, NULs. */
const piece = fc.oneof(
  fc.constantFrom(
    "a",
    " ",
    "\n",
    '"',
    "\\",
    "\t",
    "\u001b[31m",
    "\u0000",
    "\u0000json:",
    "\u007f",
    "\u007fL0",
    "é",
    "漢",
    "🚚",
    "\ud83d",
    "\ude00",
    "\u2028",
    "]",
    "<",
    "/",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const text = fc
  .array(piece, { maxLength: 60 })
  .chain((parts) => fc.integer({ min: 1, max: 40 }).map((times) => parts.join("").repeat(times)));

/** JSON as different writers escape it: raw UTF-8, everything escaped, or slashes escaped. */
const encode = (value: unknown, style: number): string => {
  const json = JSON.stringify(value);
  if (style === 1)
    return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return style === 2 ? json.replace(/\//g, "\\/") : json;
};

const brute = (value: string) => ({
  codePoints: [...value].length,
  utf16: value.length,
  // Node writes a lone surrogate as U+FFFD, which takes three bytes too.
  bytes: Buffer.byteLength(value, "utf8"),
});

describe("records", () => {
  it("give the same texts and sizes as decoding and parsing everything", () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 5 }), text),
        fc.nat(2),
        (list, extra, style) => {
          const value = { content: list, extra, nested: { content: list } };
          const bytes = Buffer.from(encode(value, style));
          for (const utf8 of [nodeUtf8, plainUtf8]) {
            const parsed = parseRecord(bytes, utf8);
            if (!parsed.ok) throw new Error(parsed.reason);
            const { texts } = parsed;
            const content = own(parsed.value, "content") as string[];
            expect(content.map((each) => texts.decode(each))).toEqual(list);
            expect(content.map((each) => texts.measure(each))).toEqual(list.map(brute));
            expect(texts.measureAll(content)).toEqual(brute(list.join("")));
            expect(texts.decode(texts.compact(own(parsed.value, "extra")))).toBe(JSON.stringify(extra));
            expect(texts.measure(texts.compact(own(parsed.value, "extra")))).toEqual(brute(JSON.stringify(extra)));
            for (const [i, each] of content.entries())
              expect(texts.head(each, 20).slice(0, 20)).toBe(list[i]?.slice(0, 20));
          }
        },
      ),
      SEED,
    );
  });

  it("measure an escaped string without making it", () => {
    fc.assert(
      fc.property(text, fc.nat(2), (value, style) => {
        const content = Buffer.from(encode(value, style).slice(1, -1));
        const size = measureEscaped(content, false);
        if (size !== undefined) expect(size).toEqual(brute(value));
        // Only an escape beyond ASCII may need the text itself.
        else expect(content.toString()).toMatch(/\\u(?!00[0-7])/);
      }),
      SEED,
    );
  });

  it("stand-ins are never mistaken for texts that look like them", () => {
    const long = "x".repeat(2000);
    const parsed = parseRecord(Buffer.from(JSON.stringify({ a: "\u007fL0", b: long })), nodeUtf8);
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(parsed.texts.decode(own(parsed.value, "a") as string)).toBe("\u007fL0");
    expect(parsed.texts.decode(own(parsed.value, "b") as string)).toBe(long);
  });

  it("the ends of a text tell when it cannot be a notice", () => {
    const notices = [
      claudeBlock("y".repeat(40_000), "/p/t.txt"),
      "<persisted-output>Tool result saved to: /p/t.txt\n\nUse Read to view</persisted-output>",
      "Error: result (99,999 characters across 9 lines) exceeds maximum allowed tokens. Output has been saved to /p/x.txt.\nFormat: text",
      "[Old tool result content cleared]",
      `${"z".repeat(16000)}\n\n[Large tool result: showing the first 16000 characters. The remaining output could not be saved. The original operation was not retried. Do not repeat.]`,
    ];
    const space = fc.array(fc.constantFrom(" ", "\n", "\t", "\r\n"), { maxLength: 4 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...notices), text),
        space,
        space,
        fc.nat(2),
        (body, before, after, style) => {
          const whole = before + body + after;
          const ends = endsOf(Buffer.from(encode(whole, style).slice(1, -1)));
          const { state } = recognise(whole, { agent: "claude-code", tool: undefined });
          if (state !== "inline") expect(couldBeNotice(ends)).toBe(true);
        },
      ),
      SEED,
    );
    const plain = endsOf(Buffer.from("plain text, nothing else\\n"));
    expect(plain).toEqual({ first: "p", last: "e" });
    expect(couldBeNotice(plain)).toBe(false);
  });

  it("finding long strings never throws and finds only whole strings", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        for (const { start, end } of findLongStrings(Buffer.from(bytes)) ?? []) {
          expect(bytes[start - 1]).toBe(0x22);
          expect(bytes[end]).toBe(0x22);
        }
      }),
      SEED,
    );
  });
});

describe("the structure scanner", () => {
  const json = fc.jsonValue({ maxDepth: 5 });
  const arrays = new Set(["messages"]);

  const pieces = (bytes: Buffer, cuts: readonly number[]) => {
    const scanner = new StructureScanner(arrays, 0, 1);
    const bounds = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
    const found = bounds
      .slice(1)
      .flatMap((end, i) => [...scanner.feed(bytes.subarray(bounds[i], end), bounds[i] ?? 0)]);
    return { found: [...found, ...scanner.finish()], open: scanner.open };
  };

  it("finds every member and element of any JSON, with its line, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), json),
        fc.array(json, { maxLength: 6 }),
        fc.nat(3),
        fc.array(fc.nat(), { maxLength: 5 }),
        (object, list, indent, cuts) => {
          for (const root of [{ ...object, messages: list }, list]) {
            const source = JSON.stringify(root, null, indent);
            const bytes = Buffer.from(source);
            const { found, open } = pieces(bytes, cuts);
            expect(found).toEqual(pieces(bytes, []).found);
            expect(open).toBe(false);
            const elements = found.filter(
              (each) => each.kind === "element" && each.key === (Array.isArray(root) ? undefined : "messages"),
            );
            const slice = (each: { start: number; end: number }) =>
              JSON.parse(bytes.toString("utf8", each.start, each.end)) as unknown;
            expect(elements.map(slice)).toEqual(JSON.parse(JSON.stringify(list)));
            if (!Array.isArray(root)) {
              const members = found.filter((each) => each.kind === "member");
              const wanted = JSON.parse(JSON.stringify(root)) as Record<string, unknown>;
              expect(members.map(slice)).toEqual(
                Object.keys(wanted)
                  .filter((key) => key !== "messages")
                  .map((key) => wanted[key]),
              );
            }
            for (const each of found) {
              const before = bytes.toString("utf8", 0, each.start);
              expect(each.line).toBe(before.split("\n").length);
            }
          }
        },
      ),
      SEED,
    );
  });

  it("never throws on arbitrary bytes, and the cut never matters", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .array(fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "1", " ", "\n", "messages", '"messages":['), {
          maxLength: 80,
        })
        .map((parts) => Buffer.from(parts.join(""))),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 6 }), (content, cuts) => {
        expect(pieces(Buffer.from(content), cuts)).toEqual(pieces(Buffer.from(content), []));
      }),
      { ...SEED, numRuns: 500 },
    );
  });
});

describe("reading", () => {
  const long = "größe \u001b[0m\n".repeat(400);
  const claude = jsonLines(
    prompt("Hi"),
    answer("m1", use("t1")),
    toolResult("t1", long, { toolUseResult: { stdout: long } }),
    answer("m2", use("t2", "Write", { content: long })),
    toolResult("t2", claudeBlock(long, "/p/t2.txt"), { toolUseResult: { stdout: long } }),
  );
  const messages = [
    { role: "user", content: long },
    { role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "f", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "c", content: long },
  ];
  const exported = JSON.stringify({ id: "a", source: "x", started_at: 1, model: "m", messages });
  const files: [string, string][] = [
    ["Claude Code lines", `${claude}${claude.replaceAll('"u-', '"v-').slice(0, -30)}`],
    ["an export", `${exported}\n${exported.replace('"a"', '"b"')}\n`],
    [
      "a pretty-printed snapshot",
      JSON.stringify({ session_id: "s", platform: "cli", system_prompt: long, messages }, null, 2),
    ],
    ["a list of messages", JSON.stringify(messages)],
    ["messages per line", jsonLines(...messages)],
  ];

  it.each(files)("%s: the size of the chunks never matters, nor does the fast path", async (_, content) => {
    const strip = (all: Awaited<ReturnType<typeof events>>) => all.filter((event) => event.kind !== "progress");
    const whole = strip(await events(memorySource(content)));
    expect(whole.filter((event) => event.kind === "result").length).toBeGreaterThan(0);
    for (const chunkBytes of [1, 7, 64, 1000, 4096, 100_000]) {
      expect(strip(await events(memorySource(content), { chunkBytes }))).toEqual(whole);
    }
    expect(strip(await events(memorySource(content), {}, plainUtf8))).toEqual(whole);
  });

  it.each(files)("%s: cut anywhere, nothing is thrown and no earlier result is lost", async (_, content) => {
    const bytes = Buffer.from(content);
    const all = await events(memorySource(content));
    const header = all.find((event) => event.kind === "header");
    const stated = header?.kind === "header" ? header.header.format : "";
    const format = isFormatId(stated) ? stated : "claude-code";
    const ends = all.flatMap((event) => (event.kind === "result" && event.result.body ? [event.result.place.end] : []));
    for (let cut = 1; cut < bytes.length; cut += Math.ceil(bytes.length / 120)) {
      const found = await events(memorySource(bytes.subarray(0, cut)), { format });
      const results = found.filter((event) => event.kind === "result" && event.result.body !== undefined);
      expect(results.length).toBeGreaterThanOrEqual(new Set(ends.filter((end) => end <= cut)).size);
    }
  });

  it("never throws on mutated lines or arbitrary JSON, in any format", async () => {
    const formats = [
      "hermes-snapshot",
      "hermes-gateway",
      "hermes-export",
      "claude-code",
      "openai-chat",
      "anthropic-messages",
      "openmausbot-thread",
    ] as const;
    const keys = fc.constantFrom(
      "role",
      "content",
      "type",
      "message",
      "messages",
      "tool_calls",
      "function",
      "name",
      "id",
      "usage",
      "uuid",
      "parentUuid",
      "isSidechain",
      "text",
      "tool",
      "choices",
      "response",
      "system",
      "__proto__",
      "toolUseResult",
      "replacements",
      "traj",
    );
    const words = fc.constantFrom(
      "user",
      "assistant",
      "tool",
      "system",
      "tool_use",
      "tool_result",
      "text",
      "image",
      "content-replacement",
      "x",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        words,
        fc.integer(),
        fc.constant(null),
        fc.boolean(),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 5 }),
        fc.constantFrom(...formats),
        fc.boolean(),
        async (records, format, oneDocument) => {
          const content = oneDocument ? JSON.stringify(records[0] ?? {}) : jsonLines(...records);
          await events(memorySource(`${content} `), { format });
        },
      ),
      { ...SEED, numRuns: 1500 },
    );
    const base = Buffer.from(claude);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...formats),
        async (edits, format) => {
          const mutated = Buffer.from(base);
          for (const [at, byte] of edits) mutated[at] = byte;
          await events(memorySource(mutated), { format });
          await events(memorySource(mutated));
        },
      ),
      { ...SEED, numRuns: 400 },
    );
  });

  it("flattening tells images from text", () => {
    const parsed = parseRecord(
      Buffer.from(
        '{"c":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"image","source":{"data":"BBBB"}},{"type":"text","text":"t"}]}',
      ),
      nodeUtf8,
    );
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(flatten(own(parsed.value, "c"), parsed.texts)).toEqual({ parts: ["t"], images: 2, unknown: [] });
  });
});
