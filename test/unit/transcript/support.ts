import type { BodyRef, Message, ModelCall, ToolResult } from "../../../extension/src/core/model/transcript";
import { type Cancel, type FileSource, NEVER_CANCELLED, type Utf8 } from "../../../extension/src/core/ports";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import type { TranscriptEvent, TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { type ReadOptions, readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeUtf8 } from "../../../extension/src/node/utf8";

/** The plainest decoder: no fast views, so every record is decoded and parsed whole. */
export const plainUtf8: Utf8 = { decode: (bytes) => nodeUtf8.decode(bytes) };

export function memorySource(content: string | Uint8Array, path = "/t/session.jsonl"): FileSource {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  return { path, bytes: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** The same as a file that a thread may wait for, so that its lines can be read as rows. */
export function blockingSource(content: string | Uint8Array): FileSource {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  const fill = (into: Uint8Array, start: number): number => {
    const part = bytes.subarray(start, start + into.length);
    into.set(part);
    return part.length;
  };
  const take = (start: number, end: number): Uint8Array => Buffer.from(bytes.subarray(start, end));
  return { ...memorySource(bytes), blocking: () => ({ fill, take, close: () => {} }) };
}

export const jsonLines = (...records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

export async function events(
  source: FileSource,
  options: ReadOptions = {},
  utf8: Utf8 = nodeUtf8,
  cancel: Cancel = NEVER_CANCELLED,
): Promise<TranscriptEvent[]> {
  const all: TranscriptEvent[] = [];
  for await (const batch of readTranscript(source, { utf8 }, options, cancel)) all.push(...batch);
  return all;
}

export function read(content: string | Uint8Array, options: ReadOptions = {}, path?: string): Promise<TranscriptIndex> {
  return collect(readTranscript(memorySource(content, path), { utf8: nodeUtf8 }, options, NEVER_CANCELLED));
}

export async function bodyText(content: string | Uint8Array | FileSource, ref: BodyRef | undefined): Promise<string> {
  if (ref === undefined) throw new Error("no body");
  const source = typeof content === "object" && "read" in content ? content : memorySource(content);
  const body = await readBody(source, ref, { utf8: nodeUtf8 });
  if (!body.ok) throw new Error(body.error.message);
  return body.value.text;
}

export const codes = (index: TranscriptIndex): string[] => index.problems.map((problem) => problem.code);

/** What tells one result from another, without places. */
export const brief = (result: ToolResult) => [
  result.turn,
  result.call,
  result.tool,
  result.callId,
  result.state,
  result.orphan ? "orphan" : "paired",
  result.size.codePoints,
];

export const briefMessage = (message: Message) => [message.index, message.role, message.turn, message.size.codePoints];

export const briefCall = (call: ModelCall) => [call.number, call.turn, call.model, call.usage];

// --- Claude Code records -------------------------------------------------------------------------------------------

let made = 0;
export function claude(type: string, rest: Record<string, unknown>): Record<string, unknown> {
  made++;
  return {
    parentUuid: null,
    isSidechain: false,
    sessionId: "s-1",
    timestamp: "2026-01-02T03:04:05.000Z",
    type,
    uuid: `u-${made}`,
    ...rest,
  };
}

export const prompt = (text: unknown, rest = {}) =>
  claude("user", { message: { role: "user", content: text }, ...rest });

export const answer = (id: string, block: unknown, usage: unknown = undefined, rest = {}) =>
  claude("assistant", {
    requestId: `req-${id}`,
    message: { id, role: "assistant", model: "m-1", content: [block], usage },
    ...rest,
  });

export const use = (id: string, name = "Bash", input: unknown = { command: "ls" }) => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const toolResult = (id: unknown, content: unknown, rest = {}) =>
  claude("user", { message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] }, ...rest });

export const claudeBlock = (full: string, path: string): string => {
  const size = (full.length / 1024).toFixed(1).replace(/\.0$/, "");
  return `<persisted-output>\nOutput too large (${size}KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n${full.slice(0, 1900)}\n...\n</persisted-output>`;
};
