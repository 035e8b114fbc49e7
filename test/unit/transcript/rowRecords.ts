import fc from "fast-check";
import { answer, claudeBlock, prompt, use } from "./support";

// --- Records as agents write them, and as nobody does ----------------------------------------------------------------

const words = fc.constantFrom(
  "plain text of some words ",
  "\n",
  "\t",
  '"',
  "\\",
  "\\n",
  "/",
  "\u001b[0m",
  "\u007f",
  "é",
  "潮位",
  "🌊",
  "\u2028",
  "<persisted-output>",
  "[Old tool result content cleared]",
  "Error: result (10 characters) exceeds",
  "]",
  "<command-name>",
  "<command-none>",
  "<local-command-caveat>",
  "<local-command-stdout>",
  "<task-notification>",
  "<bash-input>",
  "<bash-",
  "[Request interrupted by user]",
  "[Request ",
  "Caveat: ",
  "Cave",
  "x".repeat(300),
  "y\n".repeat(700),
  "wide ä ".repeat(200),
  claudeBlock("full text ".repeat(4000), "/tmp/a.txt"),
);
export const text = fc
  .array(
    fc.oneof(
      { weight: 60, arbitrary: words },
      { weight: 1, arbitrary: fc.constantFrom("\ud800", "\udc00x", "\u0000") },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));
const rare = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });
const anything = fc.oneof(fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, "", "1", [], {}), fc.jsonValue());
const id = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("t-1", "t-2", "t-3") },
  { weight: 1, arbitrary: fc.constantFrom("t-é", "") },
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: rare(text, anything) }),
  fc.record({ type: fc.constantFrom("thinking", "redacted_thinking"), thinking: text }),
  fc.record({
    type: fc.constant("tool_use"),
    id: rare(id, anything),
    name: rare(fc.constantFrom("Bash", "Read"), anything),
    input: rare(fc.record({ command: text, n: fc.oneof(fc.integer(), fc.double()) }), anything),
  }),
  fc.record({ type: fc.constantFrom("image", "document", "server_tool_use"), source: anything }),
  fc.record(
    {
      type: fc.constantFrom("tool_result", "tool_result", "web_search_tool_result"),
      tool_use_id: rare(id, anything),
      content: rare(
        fc.oneof(text, fc.array(fc.record({ type: fc.constantFrom("text", "image", "tool_reference"), text }))),
        anything,
      ),
      is_error: rare(fc.boolean(), anything),
    },
    { requiredKeys: ["type"] },
  ),
  anything,
);
const texts = fc.record({ type: fc.constant("text"), text });
const uses = fc.record({
  type: fc.constant("tool_use"),
  id,
  name: fc.constantFrom("Bash", "Read"),
  input: fc.oneof(
    { weight: 6, arbitrary: fc.record({ command: text, n: fc.oneof(fc.integer(), fc.constantFrom(0.5, -1.25, 0.1)) }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
});
const results = fc.record({ type: fc.constant("tool_result"), tool_use_id: id, content: text, is_error: fc.boolean() });
const content = fc.oneof(
  text,
  fc.array(texts, { maxLength: 3 }),
  fc.tuple(texts, uses),
  fc.array(results, { minLength: 1, maxLength: 2 }),
  fc.array(block, { maxLength: 3 }),
);
const tokens = rare(fc.nat(200_000), anything);
const usage = rare(
  fc.record(
    {
      input_tokens: tokens,
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: tokens,
      output_tokens: tokens,
      service_tier: fc.constant("standard"),
    },
    { requiredKeys: [] },
  ),
  anything,
);
export const uuid = fc.oneof(
  { weight: 9, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom("u-1", "00000000-0000-0000-0000-000000000000", "ÜÜ", "x".repeat(300)) },
);
const envelope = {
  uuid: rare(uuid, anything),
  timestamp: rare(fc.constant("2026-01-02T03:04:05.000Z"), anything),
  isSidechain: rare(fc.constantFrom(false, false, true), anything),
  agentId: rare(fc.constantFrom("a-1", "a-2"), anything),
};
const flag = fc.option(rare(fc.boolean(), anything), { nil: undefined, freq: 4 });
const user = fc.record({
  type: fc.constant("user"),
  message: rare(fc.record({ role: fc.constant("user"), content: rare(content, anything) }), anything),
  isMeta: flag,
  isCompactSummary: flag,
  toolUseResult: rare(
    fc.oneof(text, fc.record({ stdout: text, content: text, result: text }, { requiredKeys: [] })),
    anything,
  ),
  ...envelope,
});
const assistant = fc.record({
  type: fc.constant("assistant"),
  message: fc.record({
    model: rare(fc.constantFrom("m-1", "m-2", "<synthetic>"), anything),
    id: rare(fc.constantFrom("msg-1", "msg-2", "msg-3"), anything),
    content: rare(content, anything),
    usage,
  }),
  requestId: fc.option(rare(fc.constantFrom("r-1", "r-2"), anything), { nil: undefined }),
  ...envelope,
});
const other = fc.record({
  type: rare(fc.constantFrom("system", "progress", "summary", "new-kind"), anything),
  subtype: rare(
    fc.constantFrom("compact_boundary", "microcompact_boundary", "turn_duration", "local_command"),
    anything,
  ),
  data: rare(
    fc.record({
      type: fc.constantFrom("agent_progress", "bash_progress"),
      message: fc.record({ message: fc.record({ usage }) }),
    }),
    anything,
  ),
  content: rare(text, anything),
  ...envelope,
});
const record = fc.oneof(user, user, assistant, assistant, other);

/** The same JSON written otherwise: white space, escapes of any character, slashes. */
function rewritten(json: string, style: number): string {
  switch (style) {
    case 1:
      return json.replaceAll(",", " , ").replaceAll('":', '" :\t');
    case 2:
      return json.replace(/[^\u0020-\u007e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    case 3:
      return json.replace(/[aeit](?=[a-z])/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`);
    case 4:
      return json.replaceAll("/", "\\/").replace(/(?<=\d)(?=[,}])/g, ".0");
    default:
      return json;
  }
}

export const line = fc
  .tuple(
    record,
    fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    fc.constantFrom(..."\n".repeat(12), "\r\n", " \n", "\t\n", "\n\n", ""),
  )
  .map(([value, style, end]) => rewritten(JSON.stringify(value), style) + end);
export const first = `${JSON.stringify(prompt("go"))}\n${JSON.stringify(answer("msg-1", use("t-1"), { input_tokens: 1 }, { isSidechain: true, agentId: "a-1" }))}\n`;
export const file = fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(first + lines.join("")));
export const sizes = fc.record({
  chunkBytes: fc.constantFrom(7, 100, 1000, 65_536),
  tailBytes: fc.constantFrom(16, 500, 65_536),
});

// --- Sessions as agents write them, with what happens to them now and then ---------------------------------------------

const STEPS = {
  prompt: 4,
  speak: 8,
  call: 8,
  result: 12,
  progress: 2,
  duration: 2,
  compact: 1,
  keep: 1,
  micro: 1,
  replace: 1,
  repeat: 1,
  branch: 2,
  orphan: 1,
  odd: 1,
  local: 1,
  collapse: 1,
} as const;
export const step = fc.record({
  kind: fc.oneof(
    ...Object.entries(STEPS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as keyof typeof STEPS) })),
  ),
  pick: fc.nat(40),
  text,
  agent: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("a-1", "a-2") },
  ),
  model: fc.oneof(
    { weight: 20, arbitrary: fc.constant("m-1") },
    { weight: 1, arbitrary: fc.constantFrom("m-2", "<synthetic>") },
  ),
  tokens: fc.oneof(
    { weight: 20, arbitrary: fc.nat(9) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 53, 1.5, 1e300, 1e10) },
  ),
});

/** Lines of one session; `texts`: its records have ids that are no UUIDs. */
export function sessionLines(
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  texts: boolean,
): string[] {
  const lines: string[] = [];
  const uuids: string[] = [];
  const calls: string[] = [];
  let requests = 0;
  const uuidOf = (n: number): string =>
    texts ? `record-${n}` : `${String(n).padStart(8, "0")}-1111-4111-8111-${String(n * 7).padStart(12, "0")}`;
  const put = (record: object, parent = uuids.at(-1) ?? null, agent?: string): void => {
    const uuid = uuidOf(uuids.length);
    const time = new Date(1_770_000_000_000 + lines.length * 1000).toISOString();
    const thread = { isSidechain: agent !== undefined, ...(agent === undefined ? {} : { agentId: agent }) };
    lines.push(JSON.stringify({ parentUuid: parent, ...thread, sessionId: "s-1", ...record, uuid, timestamp: time }));
    uuids.push(uuid);
  };
  const at = <T>(list: readonly T[], pick: number): T | undefined =>
    list[list.length - 1 - (pick % Math.max(1, list.length))];
  put({ type: "user", message: { role: "user", content: "go" } });
  for (const { kind, pick, text: body, agent, model, tokens: n } of steps) {
    const usage = { input_tokens: n, output_tokens: pick, ...(pick % 3 === 0 ? { cache_read_input_tokens: n } : {}) };
    const assistant = (content: unknown): object => {
      if (pick % 3 !== 0) requests++;
      const stated = pick % 7 === 6 ? {} : { usage };
      const message = { id: `msg-${requests}`, role: "assistant", model, content, ...stated };
      return { type: "assistant", message, ...(pick % 11 === 10 ? {} : { requestId: `req-${requests}` }) };
    };
    const result = (id: string, content: unknown): object => ({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: pick % 5 === 0 }] },
      toolUseResult: pick % 2 === 0 ? body : { stdout: body },
    });
    const answer = (): object =>
      result(at(calls, pick) ?? "t-0", pick % 4 === 0 ? claudeBlock(body, "/tmp/a.txt") : body);
    const system = (subtype: string, facts: object): object => ({ type: "system", subtype, ...facts });
    if (kind === "prompt") put({ type: "user", message: { role: "user", content: body || "x" } }, undefined, agent);
    else if (kind === "speak") put(assistant([{ type: "text", text: body }]), undefined, agent);
    else if (kind === "call") {
      calls.push(`t-${pick % 13 === 12 ? 1 : calls.length}`);
      put(
        assistant([{ type: "tool_use", id: calls.at(-1), name: pick % 2 ? "Bash" : "Read", input: { command: body } }]),
        undefined,
        agent,
      );
    } else if (kind === "result") put(answer(), undefined, agent);
    else if (kind === "progress") put({ type: "progress", data: { type: "bash_progress", output: body } });
    else if (kind === "duration") put(system("turn_duration", { durationMs: n }));
    else if (kind === "local") put(system("local_command", { content: body }), undefined, agent);
    else if (kind === "collapse") {
      const [first, last] = [at(uuids, pick + (pick % 3)), at(uuids, pick)];
      lines.push(
        JSON.stringify({
          type: "marble-origami-commit",
          summaryContent: body,
          firstArchivedUuid: first,
          lastArchivedUuid: last,
        }),
      );
    } else if (kind === "compact")
      put(system("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: n } }));
    else if (kind === "keep") {
      const kept = [at(uuids, pick), at(uuids, pick + 1)];
      const facts =
        pick % 2
          ? { preservedMessages: { uuids: kept } }
          : { preservedSegment: { headUuid: kept[1], tailUuid: kept[0] } };
      put(system("compact_boundary", { compactMetadata: { trigger: "auto", ...facts } }));
    } else if (kind === "micro") {
      const ids = [at(calls, pick), at(calls, pick + 1)];
      put(system("microcompact_boundary", { microcompactMetadata: { trigger: "auto", compactedToolIds: ids } }));
    } else if (kind === "replace") {
      lines.push(
        JSON.stringify({
          type: "content-replacement",
          replacements: [{ toolUseId: at(calls, pick), replacement: body }],
        }),
      );
    } else if (kind === "repeat") lines.push(at(lines, pick) ?? "");
    else if (kind === "branch") put({ type: "user", message: { role: "user", content: body || "x" } }, at(uuids, pick));
    else if (kind === "orphan") put(result(`late-${pick % 3}`, body), undefined, agent);
    else {
      calls.push(`late-${pick % 3}`, `\u00e9-${pick}`);
      put(
        assistant(calls.slice(-2).map((id) => ({ type: "tool_use", id, name: "Bash", input: {} }))),
        undefined,
        agent,
      );
    }
  }
  return lines;
}
