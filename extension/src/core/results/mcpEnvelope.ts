import { dumpPythonJson, type PythonJson, parsePythonJson } from "../util/pythonJson";

const KEYS: ReadonlySet<string> = new Set(["result", "structuredContent", "_meta"]);

/**
 * Plain text of an MCP result: an object of at most `result`, `structuredContent` and `_meta` with a non-empty text as
 * `result`. The other two follow as a metadata block. Undefined when the content is anything else.
 * Source: NousResearch/hermes-agent tools/tool_result_storage.py @025d8a23.
 */
export function unwrapMcpEnvelope(content: string): string | undefined {
  // Most results are no JSON; their first character tells.
  if (!/^[ \t\n\r]*\{/.test(content)) return undefined;
  const value = parsePythonJson(content);
  if (value === undefined || value.kind !== "object") return undefined;
  const extras = new Map<string, PythonJson>();
  let result: PythonJson | undefined;
  for (const [key, member] of value.members) {
    if (!KEYS.has(key)) return undefined;
    if (key === "result") result = member;
    else extras.set(key, member);
  }
  if (result?.kind !== "string" || result.text === "") return undefined;
  if (extras.size === 0) return result.text;
  const metadata = dumpPythonJson({ kind: "object", members: extras });
  return `${result.text}\n\n<mcp-result-metadata>\n${metadata}\n</mcp-result-metadata>\n`;
}
