import { describe, expect, it } from "vitest";
import {
  answer,
  bodyText,
  brief,
  briefCall,
  briefMessage,
  claude,
  claudeBlock,
  codes,
  jsonLines,
  prompt,
  read,
  toolResult,
  use,
} from "./support";

const usage = (input: number, read_: number, write: number, output: number) => ({
  input_tokens: input,
  cache_read_input_tokens: read_,
  cache_creation_input_tokens: write,
  output_tokens: output,
});

describe("Claude Code", () => {
  it("pairs results with calls, numbers turns and calls, and measures every text", async () => {
    const index = await read(
      jsonLines(
        prompt("List it"),
        answer("m1", { type: "text", text: "Sure" }),
        answer("m1", use("t1")),
        toolResult("t1", "größe 🚚"),
        prompt("More"),
        answer("m2", use("t2", "Read", { file_path: "a" })),
        toolResult("t2", [
          { type: "text", text: "ab" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA".repeat(999) } },
          { type: "text", text: "cd" },
        ]),
      ),
    );
    expect(index.header).toEqual({
      format: "claude-code",
      agent: "claude-code",
      unit: "utf16",
      sessionId: "s-1",
      model: "m-1",
    });
    expect(index.results.map(brief)).toEqual([
      [1, 1, "Bash", "t1", "inline", "paired", 7],
      [2, 2, "Read", "t2", "inline", "paired", 4],
    ]);
    expect(index.results[0]?.size).toEqual({ codePoints: 7, utf16: 8, bytes: 12 });
    expect(index.results[1]?.images).toBe(1);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 7],
      [1, "assistant", 1, 4],
      [2, "assistant", 1, 0],
      [3, "tool", 1, 7],
      [4, "user", 2, 4],
      [5, "assistant", 2, 0],
      [6, "tool", 2, 4],
    ]);
    expect(index.messages[2]?.args.codePoints).toBe('{"command":"ls"}'.length);
    expect(index.problems).toEqual([]);
  });

  it("counts the lines of one message as one call, with the largest of each usage figure", async () => {
    const index = await read(
      jsonLines(
        prompt("x"),
        answer("m1", { type: "text", text: "a" }, usage(3, 100, 20, 1)),
        answer("m1", use("t1"), usage(3, 100, 20, 457)),
        toolResult("t1", "r"),
        answer("m1", use("t2"), usage(3, 100, 20, 2)),
        answer("m2", { type: "text", text: "b" }),
      ),
    );
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", { input: 3, cacheRead: 100, cacheWrite: 20, output: 457 }],
      [2, 1, "m-1", undefined],
    ]);
  });

  it("takes only a person's prompts for turns", async () => {
    const index = await read(
      jsonLines(
        prompt("<command-name>/clear</command-name>"),
        prompt("Caveat: the messages below"),
        prompt("meta", { isMeta: true }),
        prompt("This session is being continued", { isCompactSummary: true }),
        prompt([{ type: "text", text: "[Request interrupted by user]" }]),
        prompt("<bash-input>ls</bash-input>"),
        prompt("a real one"),
        prompt([{ type: "image", source: {} }]),
      ),
    );
    expect(index.messages.map((message) => message.turn)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      1,
      2,
    ]);
  });

  it("does not count locally made lines as calls", async () => {
    const index = await read(
      jsonLines(
        claude("assistant", { message: { id: "x", model: "<synthetic>", content: [{ type: "text", text: "limit" }] } }),
      ),
    );
    expect(index.calls).toEqual([]);
    expect(index.messages).toHaveLength(1);
    expect(index.header?.model).toBeUndefined();
  });

  it("finds a persisted result, and its full text beside it only when all of it is there", async () => {
    const full = `${"line of output\n".repeat(3000)}end`;
    const notice = claudeBlock(full, "/p/tool-results/t1.txt");
    const text = jsonLines(
      answer("m1", use("t1")),
      toolResult("t1", notice, { toolUseResult: { stdout: full, stderr: "" } }),
      answer("m2", use("t2")),
      toolResult("t2", notice, { toolUseResult: { stdout: full.slice(0, 3000) } }),
      answer("m3", use("t3")),
      toolResult("t3", full, { toolUseResult: { stdout: full } }),
    );
    const index = await read(text);
    expect(index.results.map((result) => result.state)).toEqual(["persisted", "persisted", "inline"]);
    const [first, second, third] = index.results;
    expect(first?.persisted).toMatchObject({ path: "/p/tool-results/t1.txt", statedRounded: true, hasMore: true });
    expect(await bodyText(text, first?.fullText)).toBe(full);
    expect(second?.fullText).toBeUndefined();
    expect(third?.fullText).toBeUndefined();
    const body = await bodyText(text, first?.body);
    expect(body).toBe(notice);
    const preview = first?.persisted?.preview;
    expect(body.slice(preview?.start, preview?.end)).toBe(full.slice(0, 1900));
  });

  it("puts the text that the model got in place of a result when the file says so", async () => {
    const full = "x".repeat(5000);
    const notice = claudeBlock(full, "/p/t1.txt");
    const text = jsonLines(answer("m1", use("t1")), toolResult("t1", full), {
      type: "content-replacement",
      sessionId: "s-1",
      replacements: [{ kind: "tool-result", toolUseId: "t1", replacement: notice }],
    });
    const index = await read(text);
    expect(index.results).toHaveLength(1);
    expect(index.results[0]).toMatchObject({ index: 0, state: "persisted", orphan: false });
    expect(await bodyText(text, index.results[0]?.body)).toBe(notice);
    expect(await bodyText(text, index.results[0]?.fullText)).toBe(full);
  });

  it("gives every side chain its own thread, by agent or by parent", async () => {
    const side = { isSidechain: true };
    const index = await read(
      jsonLines(
        prompt("main"),
        { ...prompt("task A", side), uuid: "a1" },
        { ...answer("s1", use("ta"), undefined, side), uuid: "a2", parentUuid: "a1" },
        { ...prompt("task B", side), uuid: "b1" },
        { ...toolResult("ta", "ra", side), uuid: "a3", parentUuid: "a2" },
        prompt("task C", { ...side, agentId: "ag" }),
        answer("s2", { type: "text", text: "x" }, undefined, { ...side, agentId: "ag" }),
      ),
    );
    expect(index.threads.map(({ id, kind }) => [id, kind])).toEqual([
      ["s-1", "main"],
      ["sidechain-1", "sidechain"],
      ["sidechain-2", "sidechain"],
      ["ag", "subagent"],
    ]);
    expect(index.results.map((result) => [result.threadId, result.call, result.orphan])).toEqual([
      ["sidechain-1", 1, false],
    ]);
  });

  it("reads an agent's own file as that agent's thread", async () => {
    const agent = { isSidechain: true, agentId: "a77" };
    const index = await read(
      jsonLines(prompt("Warmup", agent), answer("m", { type: "text", text: "ok" }, undefined, agent)),
    );
    expect(index.threads).toMatchObject([{ id: "a77", kind: "subagent" }]);
    expect(index.header).toMatchObject({ sessionId: "s-1", model: "m-1" });
  });

  it("counts a record that is written twice once, and says so", async () => {
    const call = answer("m1", use("t1"));
    const result = toolResult("t1", "r");
    const index = await read(jsonLines(call, result, call, result));
    expect(index.messages).toHaveLength(2);
    expect(index.results).toHaveLength(1);
    expect(index.problems).toMatchObject([{ code: "repeated-record", severity: "info" }]);
    expect(index.problems[0]?.message).toMatch(/^2 records/);
  });

  it("pairs a result that stands before its call", async () => {
    const index = await read(jsonLines(toolResult("t1", "r"), answer("m1", use("t1", "Grep"))));
    expect(index.results.map(brief)).toEqual([[undefined, 1, "Grep", "t1", "inline", "paired", 1]]);
  });

  it("lists both kinds of orphans, and a second answer to one call", async () => {
    const index = await read(
      jsonLines(
        answer("m1", use("t1", "Bash")),
        answer("m1", use("t2", "Read")),
        toolResult("t1", "a"),
        toolResult("t1", "b"),
        toolResult("zz", "c"),
        toolResult(null, "d"),
      ),
    );
    expect(index.results.map(brief)).toEqual([
      [undefined, 1, "Bash", "t1", "inline", "paired", 1],
      [undefined, 1, "Bash", "t1", "inline", "orphan", 1],
      [undefined, undefined, undefined, "zz", "inline", "orphan", 1],
      [undefined, undefined, undefined, undefined, "inline", "orphan", 1],
      [undefined, 1, "Read", "t2", "missing", "paired", 0],
    ]);
    const missing = index.results.at(-1);
    expect(missing?.body).toBeUndefined();
    expect(missing?.place.line).toBe(2);
    expect(codes(index)).toContain("repeated-result");
  });

  it("keeps what it does not know: record types, block types, odd content", async () => {
    const index = await read(
      jsonLines(
        claude("brand-new-type", {}),
        claude("user", { message: { role: "user", content: null } }),
        claude("user", { message: "a text where an object should be" }),
        claude("user", {}),
        claude("assistant", {
          message: { id: "m", role: "assistant", content: [{ type: "hologram", x: 1 }, 42, null, "bare"] },
        }),
        toolResult(17, 42),
        toolResult("a", null),
        toolResult("b", undefined),
        toolResult("c", { type: "text", text: "one part" }),
        toolResult("d", [{ type: "tool_reference", tool_name: "x" }]),
        [1, 2],
        "text",
      ),
    );
    expect(index.results.map((result) => [result.callId, result.size.codePoints])).toEqual([
      ["17", 2],
      ["a", 0],
      ["b", 0],
      ["c", 8],
      ["d", 0],
    ]);
    expect(index.messages.map((message) => message.size.codePoints)).toEqual([0, 32, 0, 6, 2, 0, 0, 8, 0]);
    expect(codes(index).sort()).toEqual(["missing-content", "unknown-block", "unknown-record"]);
    const said = index.problems.map((problem) => problem.message).join(" ");
    expect(said).toContain("brand-new-type");
    expect(said).toContain("hologram");
  });

  it("is not confused by keys of the object prototype", async () => {
    const line = `{"type":"user","uuid":"u","sessionId":"s","parentUuid":null,"__proto__":{"isMeta":true,"type":"x"},"message":{"role":"user","__proto__":{"content":"no"},"constructor":1,"content":"yes"}}\n`;
    const index = await read(line);
    expect(index.messages.map(briefMessage)).toEqual([[0, "user", 1, 3]]);
    expect(({} as Record<string, unknown>)["isMeta"]).toBeUndefined();
  });

  it("attachments stand in the context as far as their text is in the record; other kinds are said", async () => {
    const attached = (attachment: object) => claude("attachment", { attachment });
    const index = await read(
      jsonLines(
        prompt("go"),
        attached({ type: "queued_command", prompt: "and hurry" }),
        attached({
          type: "queued_command",
          prompt: [
            { type: "text", text: "see" },
            { type: "image", source: {} },
          ],
        }),
        attached({ type: "hook_additional_context", content: ["one", "two"] }),
        attached({ type: "nested_memory", path: "/w/CLAUDE.md", content: { path: "/w/CLAUDE.md", content: "memory" } }),
        attached({ type: "file", filename: "a.ts", content: { type: "text", file: { content: "code" } } }),
        attached({ type: "skill_listing", names: ["finish"] }),
        { type: "continued-in", sessionId: "s-1", continuedInSessionId: "s-2" },
        { type: "cost-state" },
      ),
    );
    expect(index.messages.map(({ role, turn, size, images }) => [role, turn, size.utf16, images])).toEqual([
      ["user", 1, 2, 0],
      ["user", 1, 9, 0],
      ["user", 1, 3, 1],
      ["user", 1, 6, 0],
      ["user", 1, 6, 0],
      ["user", 1, 4, 0],
    ]);
    expect(index.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(/^unknown-block: .*attachment skill_listing/),
    ]);
  });

  it("what a local command printed is sent like a message; it begins no turn", async () => {
    const printed = (content: unknown) => claude("system", { subtype: "local_command", content });
    const index = await read(
      jsonLines(prompt("go"), printed("<local-command-stdout>7 files</local-command-stdout>"), printed(undefined)),
    );
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 2],
      [1, "user", 1, 52],
    ]);
    expect(index.problems).toEqual([]);
  });

  it("a collapse takes a stretch of records out of context; a summary stands for it", async () => {
    const parts = [prompt("one"), answer("m1", use("t1")), toolResult("t1", "result"), prompt("two")];
    const collapse = (first: unknown, last: unknown) => ({
      type: "marble-origami-commit",
      sessionId: "s-1",
      summaryContent: '<collapsed id="1">short</collapsed>',
      firstArchivedUuid: first,
      lastArchivedUuid: last,
    });
    const index = await read(jsonLines(...parts, collapse(parts[1]?.["uuid"], parts[2]?.["uuid"]), prompt("three")));
    expect(index.compactions).toMatchObject([
      { what: "summary", scope: "listed", atMessage: 4, gone: { results: [0] } },
    ]);
    expect(index.compactions[0]?.gone.messages.map(({ index: at }) => at)).toEqual([1, 2]);
    expect(index.messages.map(briefMessage).at(-2)).toEqual([-1, "user", 2, 35]);
    // What it names is not in the file, or the wrong way round: it is told, and nothing is guessed.
    for (const odd of [collapse("gone", parts[2]?.["uuid"]), collapse(parts[2]?.["uuid"], parts[1]?.["uuid"])]) {
      const told = await read(jsonLines(...parts, odd));
      expect(told.compactions).toMatchObject([{ scope: "unstated", gone: { messages: [], results: [] } }]);
    }
  });

  it("a session that Hermes exported in this shape says what it lacks; once", async () => {
    const line = (uuid: string, type: "user" | "assistant", content: unknown) => ({
      uuid,
      parentUuid: null,
      sessionId: "s",
      isSidechain: false,
      type,
      version: "hermes-agent",
      timestamp: "2026-08-14T09:00:00.000Z",
      cwd: "",
      message: { role: type, content },
    });
    const index = await read(
      jsonLines(
        line("1", "user", "hi"),
        line("2", "assistant", [{ type: "tool_use", id: "c", name: "terminal", input: {} }]),
        line("3", "user", [{ type: "tool_result", tool_use_id: "c", content: "out" }]),
      ),
    );
    expect(codes(index)).toEqual(["exported-trace"]);
    expect(index.results).toHaveLength(1);
    expect(index.calls.map(({ usage }) => usage)).toEqual([undefined]);
  });
});
