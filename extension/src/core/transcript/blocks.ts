import { pushAll } from "../util/pushAll";
import { flatten } from "./flatten";
import { isObject, own, type Texts } from "./json";

export interface ToolUseBlock {
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
}

export interface ToolResultBlock {
  readonly id: unknown;
  readonly content: unknown;
  /** Keys from the message's content to the result's content. */
  readonly path: readonly (string | number)[];
  readonly isError: boolean;
  /** Tool that the block's own type names (`web_search_tool_result`), for results whose call is not there. */
  readonly tool: string | undefined;
}

/** Anthropic message content, sorted by what it is. */
export interface Blocks {
  readonly parts: readonly string[];
  readonly images: number;
  readonly uses: readonly ToolUseBlock[];
  readonly results: readonly ToolResultBlock[];
  readonly unknown: readonly string[];
  /** A `compaction` block: what stood before it is not sent any more. */
  readonly compacts: boolean;
}

const NONE: Blocks = { parts: [], images: 0, uses: [], results: [], unknown: [], compacts: false };
const USES = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);
const RESULT = /^(?:(.+)_)?tool_result$/;

/** Sorts the content of one Anthropic message: a string, a list of blocks, null, or (broken) one block. */
export function readBlocks(content: unknown, texts: Texts): Blocks {
  if (!Array.isArray(content)) {
    const { parts, images, unknown } = flatten(content, texts);
    return { ...NONE, parts, images, unknown };
  }
  const parts: string[] = [];
  const uses: ToolUseBlock[] = [];
  const results: ToolResultBlock[] = [];
  const unknown: string[] = [];
  let images = 0;
  let compacts = false;
  for (let i = 0; i < content.length; i++) {
    const block: unknown = content[i];
    const type = isObject(block) ? own(block, "type") : undefined;
    if (!isObject(block) || typeof type !== "string") {
      const flat = flatten([block], texts);
      pushAll(parts, flat.parts);
      pushAll(unknown, flat.unknown);
      continue;
    }
    if (USES.has(type)) {
      uses.push({ id: own(block, "id"), name: own(block, "name"), input: own(block, "input") });
      continue;
    }
    const result = RESULT.exec(type);
    if (result !== null) {
      const inner = own(block, "content");
      const failed = typeof own(inner, "error_code") === "string";
      results.push({
        id: own(block, "tool_use_id"),
        content: inner,
        path: [i, "content"],
        isError: own(block, "is_error") === true || failed,
        tool: result[1],
      });
      continue;
    }
    if (type === "compaction") {
      // Without content it failed, and changed nothing.
      const made = own(block, "content") ?? own(block, "encrypted_content");
      compacts ||= made !== undefined && made !== null;
      pushAll(parts, flatten(own(block, "content"), texts).parts);
      continue;
    }
    const flat = flatten([block], texts);
    pushAll(parts, flat.parts);
    pushAll(unknown, flat.unknown);
    images += flat.images;
  }
  return { parts, images, uses, results, unknown, compacts };
}
