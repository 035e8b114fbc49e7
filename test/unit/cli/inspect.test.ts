import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../../extension/src/cli/main";
import { repoPath } from "../../corpus";
import { sample } from "../../fixtures/sample/sample.mjs";
import { type FakeFile, FakeOut, fakeIo } from "./fakeIo";
import { validated } from "./schema";

async function inspect(files: Readonly<Record<string, FakeFile>>, ...argv: readonly string[]) {
  const io = fakeIo(files);
  const code = await run(["inspect", ...argv], io);
  return { code, out: io.stdout.text, err: io.stderr.text };
}

const call = (id: string, name: string): unknown => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const answer = (id: string, content: unknown): unknown => ({ role: "tool", tool_call_id: id, content });
const block = (path: string): string =>
  `<persisted-output>\nThis tool result was too large (41,203 characters, 40.2 KB).\nFull output saved to: ${path}\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 6 chars):\nfirst\n\n...\n</persisted-output>`;
const chat = (...messages: readonly unknown[]): string => JSON.stringify({ model: "m-1", messages }, null, 1);
const small = chat(
  { role: "user", content: "hello" },
  call("c1", "terminal"),
  answer("c1", block("/home/someone/.hermes/cache/spillover/c1.txt")),
  call("c2", "clock"),
  answer("c2", "12:00"),
  call("c3", "terminal"),
);

describe("inspect for people", () => {
  it("shows head, totals and results", async () => {
    const { code, out } = await inspect({ "/work/t.json": small }, "t.json");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "t.json
      openai-chat · m-1 · 3 calls · 6 messages
      3 results: 1 inline, 1 persisted, 1 missing
      308 chars in context (≈ 77 tok) · 40,911 chars kept out

      line  turn  tool      state      chars  stated  file     path or handle
        22     1  terminal  persisted    292  41,203  expired  /home/someone/.hermes/cache/spillover/c1.txt
        41     1  clock     inline         5       –  –        –
        46     1  terminal  missing        0       –  –        –
      "
    `);
  });

  it("says which of the listed results a compaction took out of context, and shortens millions", async () => {
    const line = (uuid: string, value: object): string =>
      JSON.stringify({ uuid, sessionId: "s-1", isSidechain: false, ...value });
    const use = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    const result = { type: "tool_result", tool_use_id: "t1", content: "x".repeat(1_200) };
    const text = [
      line("u1", { type: "user", message: { role: "user", content: "h".repeat(6_000_000) } }),
      line("a1", { type: "assistant", message: { id: "m1", role: "assistant", content: [use] } }),
      line("u2", { type: "user", message: { role: "user", content: [result] } }),
      line("c1", {
        type: "system",
        subtype: "microcompact_boundary",
        microcompactMetadata: { trigger: "auto", compactedToolIds: ["t1"] },
      }),
    ].join("\n");
    const { out } = await inspect({ "/work/t.jsonl": text }, "t.jsonl", "--summary");
    expect(out).toContain("6,000,002 chars in context (≈ 1.50M tok) · 1 result of 1,200 chars gone by compaction\n");
    const { out: json } = await inspect({ "/work/t.jsonl": text }, "t.jsonl", "--json");
    expect(validated(json, "inspectReport").totals).toMatchObject({
      results: 1,
      chars: 6_000_002,
      resultsLeft: 1,
      charsLeft: 1_200,
    });
  });

  it("says of a result of images that it is one", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const { out } = await inspect({ "/work/t.json": chat(call("c1", "shot"), answer("c1", [image, image])) }, "t.json");
    expect(out).toMatch(/shot +inline \(2 images\) +0 /);
  });

  it("shows totals only with --summary", async () => {
    const { out } = await inspect({ "/work/t.json": small }, "t.json", "--summary");
    expect(out.split("\n")).toHaveLength(5);
    expect(out).toContain("3 results: 1 inline, 1 persisted, 1 missing");
  });

  it("lets nothing in a transcript reach the terminal as a control", async () => {
    const evil = "\u001b[2J\u001b]8;;file:///x\u0007\u202e\u009b31m";
    const text = chat(call("c1", `tool${evil}`), answer("c1", block(`/tmp/${evil.replaceAll("\n", "")}.txt`)));
    for (const argv of [["t.json"], ["t.json", "--summary"], ["."]]) {
      const { out } = await inspect(
        { "/work/t.json": text.replace("m-1", JSON.stringify(evil).slice(1, -1)) },
        ...argv,
      );
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("names problems by file and line, and one bad line hides nothing", async () => {
    const lines = [
      { role: "session_meta", model: "m", platform: "cli", tools: [] },
      { role: "user", content: "hi" },
      call("a", "x"),
      answer("a", "fine"),
    ];
    const text = lines
      .map((line) => JSON.stringify(line))
      .join("\n")
      .replace('{"role":"user"', '{"role":"us\u0000er" oops\n{"role":"user"');
    const { code, out } = await inspect({ "/work/s.jsonl": text }, "s.jsonl");
    expect(code).toBe(1);
    expect(out).toMatch(/^s\.jsonl:2: error: .+ \[[a-z-]+\]$/m);
    expect(out).toContain("1 result: 1 inline");
  });
});

describe("inspect --json", () => {
  it("keeps to its schema and reports previews, paths and file facts", async () => {
    const { code, out } = await inspect(
      { "/work/t.json": small, "/home/someone/.hermes/cache/spillover/c1.txt": `first\n${"x".repeat(41_197)}` },
      "t.json",
      "--json",
    );
    const report = validated(out, "inspectReport");
    expect(code).toBe(0);
    expect(report.threads[0]?.results?.[0]).toMatchObject({
      index: 0,
      tool: "terminal",
      callId: "c1",
      state: "persisted",
      statedChars: 41_203,
      preview: "first\n",
      path: "/home/someone/.hermes/cache/spillover/c1.txt",
      handle: null,
      file: { status: "ok", realChars: 41_203, inKnownFolder: true },
    });
    expect(report.totals).toMatchObject({ calls: 3, results: 3, states: { persisted: 1, inline: 1, missing: 1 } });
  });

  it("keeps a ledger of usage records", async () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 1 };
    const line = (uuid: string, id: string, model = "m-1") =>
      JSON.stringify({
        type: "assistant",
        uuid,
        parentUuid: null,
        sessionId: "s-1",
        message: { id, model, role: "assistant", content: [{ type: "text", text: "x" }], usage },
      });
    const lines = [line("u1", "m1"), line("u2", "m1"), line("u2", "m1"), line("u3", "m2", "<synthetic>")];
    const { out } = await inspect({ "/work/t.jsonl": `${lines.join("\n")}\n` }, "t.jsonl", "--json", "--summary");
    expect(validated(out, "inspectReport").ledger).toEqual({
      records: 4,
      counted: { count: 1, lines: [1] },
      notCounted: [
        { reason: "same-message", count: 1, lines: [2] },
        { reason: "repeated-record", count: 1, lines: [3] },
        { reason: "synthetic", count: 1, lines: [4] },
      ],
      callsWithoutUsage: { count: 0, lines: [] },
    });
  });

  it("leaves results out with --summary and says the same totals", async () => {
    const files = { "/work/t.json": small };
    const full = validated((await inspect(files, "t.json", "--json")).out, "inspectReport");
    const brief = validated((await inspect(files, "t.json", "--json", "--summary")).out, "inspectReport");
    expect(brief.threads.every((thread) => thread.results === undefined)).toBe(true);
    expect(brief.totals).toEqual(full.totals);
  });

  it("reads as the format asked for", async () => {
    const { out } = await inspect({ "/work/t.json": small }, "t.json", "--json", "--format", "anthropic-messages");
    expect(validated(out, "inspectReport").format).toBe("anthropic-messages");
  });

  it("gives the reports of a folder and leaves other files alone", async () => {
    const files = {
      "/work/x/t.json": small,
      "/work/x/package.json": "{}",
      "/work/x/locked.jsonl": { fails: "EACCES" },
    };
    const { code, out } = await inspect(files, "x", "--json");
    const { reports } = validated(out, "inspectReports");
    expect(reports.map(({ file, format }) => [file, format])).toEqual([
      ["x/locked.jsonl", null],
      ["x/t.json", "openai-chat"],
    ]);
    expect(code).toBe(2);
    const none = validated((await inspect({ "/work/y/a.txt": "" }, "y", "--json")).out, "inspectReports");
    expect(none).toEqual({ reports: [], overall: { calls: 0, copies: 0, usage: null, copiesByFile: [] } });
  });

  it("counts a request once over several files, and says which file holds copies of which", async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 };
    const line = (n: number): string =>
      JSON.stringify({
        uuid: `u${n}`,
        sessionId: "s-1",
        isSidechain: false,
        type: "assistant",
        requestId: `req_011CabcdefgH${n}`,
        message: { id: `msg_01abcdefgh${n}`, role: "assistant", model: "m", content: [], usage },
      });
    const files = {
      "/work/one.jsonl": [1, 2].map(line).join("\n"),
      "/work/two.jsonl": [1, 2, 3].map(line).join("\n"),
      "/work/x/three.jsonl": [4].map(line).join("\n"),
    };
    const { code, out } = await inspect(files, "one.jsonl", "two.jsonl", "x", "one.jsonl", "--json", "--summary");
    const { reports, overall } = validated(out, "inspectReports");
    expect(code).toBe(0);
    expect(reports.map(({ file, threads }) => [file, threads[0]?.usage?.calls])).toEqual([
      ["one.jsonl", 2],
      ["two.jsonl", 3],
      ["x/three.jsonl", 1],
    ]);
    expect(overall).toEqual({
      calls: 4,
      copies: 2,
      usage: { calls: 4, input: 40, cacheRead: 360, cacheWrite: null, output: 20 },
      copiesByFile: [{ file: "two.jsonl", of: "one.jsonl", count: 2, lines: [1, 2] }],
    });
    const people = await inspect(files, "one.jsonl", "two.jsonl", "gone.jsonl");
    expect(people.code).toBe(2);
    expect(people.out).toContain("3 calls with usage: 30 input · 270 cache read · – cache write · 15 output tok\n");
    expect(people.out).toContain(
      "2 calls are copies of another file's and not counted again:\n  two.jsonl: 2 of one.jsonl\n",
    );
    expect(people.out).toMatch(/^gone\.jsonl: error: .+\[unreadable\]$/m);
  });

  it("names a folder that may not be looked into, and reads the others", async () => {
    const files = { "/work/x/t.json": small, "/work/x/closed/u.json": small };
    const io = fakeIo(files);
    const list = async (path: string) => {
      if (path === "/work/x/closed") throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      return io.files.list(path);
    };
    expect(await run(["inspect", "x", "--json"], { ...io, files: { ...io.files, list } })).toBe(2);
    const { reports } = validated(io.stdout.text, "inspectReports");
    expect(reports.map(({ file, problems }) => [file, problems[0]?.code])).toEqual([
      ["x/closed", "unreadable"],
      ["x/t.json", undefined],
    ]);
    expect(reports[0]?.problems[0]?.message).toContain("may not be read");
  });

  it("says of a thread what the transcript says of it, and of a result what took it out of context", async () => {
    const record = (uuid: string, value: object): string =>
      JSON.stringify({
        uuid,
        sessionId: "s-1",
        cwd: "/home/dana/tide",
        timestamp: "2026-01-02T03:04:05.000Z",
        isSidechain: false,
        ...value,
      });
    const call = { type: "tool_use", id: "t1", name: "Bash", input: {} };
    const result = { type: "tool_result", tool_use_id: "t1", content: "text" };
    const text = [
      record("a1", { type: "assistant", message: { id: "m1", role: "assistant", content: [call] } }),
      record("u2", { type: "user", message: { role: "user", content: [result] } }),
      record("c1", { type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "manual" } }),
    ].join("\n");
    const { out } = await inspect({ "/work/t.jsonl": text }, "t.jsonl", "--json");
    expect(validated(out, "inspectReport").threads).toMatchObject([
      {
        id: "s-1",
        startedAt: "2026-01-02T03:04:05.000Z",
        project: "/home/dana/tide",
        source: null,
        parent: null,
        usage: null,
        statedUsage: null,
        results: [{ leftBy: { what: "summary", trigger: "manual", line: 3 } }],
      },
    ]);
    expect((await inspect({ "/work/t.jsonl": text }, "t.jsonl")).out).toMatch(/inline \(left: summary\)/);
  });

  it("lists the compactions of each thread with the tokens that are stated, also of a summary, and counts what is beyond the bound", async () => {
    const record = (uuid: string, value: object): string =>
      JSON.stringify({ uuid, sessionId: "s-1", isSidechain: false, ...value });
    const boundary = (uuid: string, compactMetadata: object): string =>
      record(uuid, { type: "system", subtype: "compact_boundary", compactMetadata });
    const said = { id: "m1", role: "assistant", content: [{ type: "text", text: "hi" }] };
    const lines = [
      record("a1", { type: "assistant", message: said }),
      boundary("c1", { trigger: "auto", preTokens: 155_000 }),
      boundary("c2", { trigger: "manual" }),
      ...Array.from({ length: 2_000 }, (_, at) => boundary(`d${at}`, {})),
    ];
    const threadsOf = async (count: number, ...argv: readonly string[]) => {
      const text = lines.slice(0, count).join("\n");
      return validated((await inspect({ "/work/t.jsonl": text }, "t.jsonl", "--json", ...argv)).out, "inspectReport")
        .threads;
    };
    const none = { tokensAfter: null, tokensFreed: null };
    const compactions = [
      { what: "summary", trigger: "auto", line: 2, tokensBefore: 155_000, ...none },
      { what: "summary", trigger: "manual", line: 3, tokensBefore: null, ...none },
    ];
    for (const argv of [[], ["--summary"]]) {
      const three = await threadsOf(3, ...argv);
      expect(three.map((one) => [one.compactions, one.compactionsOmitted])).toEqual([[compactions, 0]]);
      const [all] = await threadsOf(lines.length, ...argv);
      expect([all?.compactions.length, all?.compactionsOmitted]).toEqual([2_000, 2]);
      expect((await threadsOf(1, ...argv))[0]).toMatchObject({ compactions: [], compactionsOmitted: 0 });
    }
  });

  it("tells of each session of several what it adds to the totals", async () => {
    const session = (id: string, prompt: string, stated: object) => ({
      id,
      ...stated,
      source: "cli",
      started_at: 1_755_000_000,
      messages: [
        { role: "user", content: prompt },
        { role: "assistant", content: "ok" },
      ],
    });
    const text = [session("s-a", "four", {}), session("s-b", "seven..", { input_tokens: 7, output_tokens: 3 })]
      .map((one) => JSON.stringify(one))
      .join("\n");
    const report = validated((await inspect({ "/work/t.jsonl": text }, "t.jsonl", "--json")).out, "inspectReport");
    const figures = report.threads.map(({ id, chars, resultsLeft, charsLeft, measuredTokens }) => [
      id,
      chars,
      resultsLeft,
      charsLeft,
      measuredTokens,
    ]);
    expect(figures).toEqual([
      ["s-a", 6, 0, 0, null],
      ["s-b", 9, 0, 0, null],
    ]);
    expect(report.totals.chars).toBe(15);
    const { out } = await inspect({ "/work/t.jsonl": text }, "t.jsonl", "--summary");
    expect(out).toMatch(/calls +messages +chars +tok measured +tok in +tok out +kind +thread\n/);
    expect(out).toMatch(/^ +1 +2 +6 +– +– +– +main +s-a$/m);
    expect(out).toMatch(/^ +1 +2 +9 +– +7 +3 +main +s-b$/m);
    expect((await inspect({ "/work/t.jsonl": text.split("\n")[0] ?? "" }, "t.jsonl")).out).not.toContain("kind");
  });

  it("says for people what it passed over in a folder", async () => {
    // A piece of a session store is shown with its session, not by itself.
    const storePart = '{"id":"prt_1","type":"text","text":"hi","sessionID":"s","messageID":"m"}';
    const files = { "/work/x/t.json": small, "/work/x/package.json": "{}", "/work/x/part.json": storePart };
    const { code, out } = await inspect(files, "x");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^format +calls .*\nopenai-chat .* x\/t\.json\n1 transcript; 2 other files are no transcripts\n$/,
    );
    expect((await inspect({ "/work/y/package.json": "{}" }, "y")).out).toBe(
      "y: no transcripts found; 1 other file is no transcript\n",
    );
  });

  it("ends quietly when the reader closes the pipe", async () => {
    for (const closesAfter of [0, 1, 2]) {
      for (const argv of [["t.json", "--json"], ["t.json"], [".", "--json"]]) {
        const io = fakeIo({ "/work/t.json": small }, { stdout: new FakeOut({ closesAfter }) });
        expect(await run(["inspect", ...argv], io)).toBe(0);
      }
    }
  });
});

describe("bad input", () => {
  const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
  const line = (record: unknown): string => `${JSON.stringify(record)}\n`;
  const session = [call("a", "x"), answer("a", "fine")].map(line).join("");

  it.each<readonly [string, FakeFile, number]>([
    ["an empty file", "", 2],
    ["white space", " \n\n", 2],
    ["a binary file", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 3]), 2],
    ["a file that may not be read", { fails: "EACCES" }, 2],
    ["something else", "name: value\n", 2],
    ["a JSON scalar", "42", 2],
    ["a byte order mark", bytes([0xef, 0xbb, 0xbf], session), 0],
    ["CR LF", session.replaceAll("\n", "\r\n"), 0],
    ["a missing last line end", session.trimEnd(), 0],
    [
      "glued records",
      line({ role: "user", content: "hi" }) + session.replace("}\n{", "}{") + line({ role: "user", content: "go on" }),
      0,
    ],
    ["a lone surrogate", session.replace("fine", "\\ud83d!"), 0],
    [
      "a __proto__ key",
      line({ ...(call("a", "x") as object), ["__proto__"]: 1 }) +
        line(JSON.parse('{"role":"tool","tool_call_id":"a","content":"x","__proto__":{"role":"user"}}')),
      0,
    ],
    [
      "numbers for strings",
      line(call("a", "x")) + line({ role: "tool", tool_call_id: 7, content: 12 }) + line({ role: 3, content: {} }),
      0,
    ],
  ])("%s", async (_, file, code) => {
    const result = await inspect({ "/work/f": file }, "f", "--json");
    const report = validated(result.out, "inspectReport");
    expect(result.code).toBe(code);
    if (code === 2) {
      expect(report.format).toBeNull();
      expect(report.problems.length).toBeGreaterThan(0);
      expect((await inspect({ "/work/f": file }, "f")).out).toMatch(/^f: error: .{10,} \[[a-z0-9-]+\]\n$/);
    } else expect(report.totals.results).toBeGreaterThan(0);
  });

  it("a depth bomb and a torn last line are reported and hide nothing", async () => {
    const bomb = `{"role":"user","content":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n`;
    const torn = `${session}${bomb}${line(call("b", "y"))}{"role":"tool","tool_call_id":"b","cont`;
    const { code, out } = await inspect({ "/work/f.jsonl": torn }, "f.jsonl", "--json");
    const report = validated(out, "inspectReport");
    expect(code).toBe(0);
    expect(report.problems.map((problem) => problem.line)).toEqual(expect.arrayContaining([3, 5]));
    expect(report.totals.states).toMatchObject({ inline: 1, missing: 1 });
  });
});

describe("damaged copies of the sample", () => {
  /** mulberry32, seeded per case so that a failure names the case that makes it again. */
  const seeded = (seed: number) => {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  };
  const originals = sample().transcripts.map(({ path }) =>
    readFileSync(repoPath("test/fixtures/sample-workspace", path)),
  );
  const configs = [".hermes/config.yaml", "config/staging.yaml"].map((path) =>
    readFileSync(repoPath("test/fixtures/sample-workspace", path)),
  );

  function damage(original: Buffer, random: () => number): Uint8Array {
    const at = Math.floor(random() * original.length);
    switch (Math.floor(random() * 5)) {
      case 0:
        return original.subarray(0, at);
      case 1: {
        const flipped = Buffer.from(original);
        for (let n = 0; n < 20; n += 1) flipped[Math.floor(random() * flipped.length)] = Math.floor(random() * 256);
        return flipped;
      }
      case 2:
        return Buffer.concat([original.subarray(0, at), original.subarray(Math.floor(at / 2))]);
      case 3:
        return Buffer.concat([original.subarray(at), Buffer.from([0, 0, 0]), original.subarray(0, at)]);
      default:
        return Buffer.from(
          original.toString("latin1").replaceAll(/"(?:content|role)":/g, (key) => (random() < 0.1 ? '"x":' : key)),
          "latin1",
        );
    }
  }

  it.each(Array.from({ length: 40 }, (_, seed) => seed))("transcript, seed %i", async (seed) => {
    const random = seeded(seed);
    const original = originals[seed % originals.length] ?? Buffer.alloc(0);
    const { code, out } = await inspect({ "/work/f": damage(original, random) }, "f", "--json");
    validated(out, "inspectReport");
    expect([0, 1, 2]).toContain(code);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))("config, seed %i", async (seed) => {
    const random = seeded(seed + 1_000);
    const io = fakeIo({ "/work/f.yaml": damage(configs[seed % configs.length] ?? Buffer.alloc(0), random) });
    const code = await run(["check", "f.yaml", "--json"], io);
    const [report] = validated(io.stdout.text, "checkReports");
    expect(code).toBe(report?.problems.some((problem) => problem.severity === "error") ? 1 : 0);
  });
});
