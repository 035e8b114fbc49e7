import { grouped } from "../../util/numbers";
import { pyStrip } from "../../util/pyStrip";
import { type PythonJson, parsePythonJson } from "../../util/pythonJson";
import { countCodePoints, headCodePoints } from "../../util/textSize";
import { isDict, isTruthy, type PythonDict, pythonDumps, pythonStr, pythonText } from "./pythonText";

/** A shorter summary survives later passes; `_PRUNE_MIN_CHARS` in `agent/context_compressor.py`. Code points. */
export const PRUNE_MIN_CHARS = 200;
/** Skill texts above this leave a note how to load them again. Code points. */
const SKILL_NOTE_ABOVE = 5000;
const TRUNCATED = "...[truncated]";
/** What stands where an older copy of the same text was. Same source. */
export const DUPLICATE_NOTICE = "[Duplicate tool output — same content as a more recent call]";

/** `user_response` values that are no answer. Same source. */
const NO_ANSWER = [
  "The user did not provide a response",
  "[user did not respond",
  "[clarify prompt could not be delivered",
  "[oneshot mode:",
];

interface Facts {
  readonly name: string;
  readonly args: PythonDict;
  readonly content: string;
  /** Code points of the result with thousands commas. */
  readonly chars: string;
  readonly lines: number;
}

/** Undefined where Python would raise; then the shape without arguments is used. */
type Shape = (facts: Facts) => string | undefined;

const BROWSER_TOOLS = ["navigate", "click", "snapshot", "type", "scroll", "vision"].map((name) => `browser_${name}`);

/** Shapes by tool; later releases renamed some tools, and both names count. Source: `agent/context_compressor.py`. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["terminal", terminal],
  [
    "read_file",
    ({ args, chars }) => `[read_file] read ${arg(args, "path")} from line ${arg(args, "offset", "1")} (${chars} chars)`,
  ],
  ["write_file", writeFile],
  [
    "search_files",
    ({ args, content }) =>
      `[search_files] ${arg(args, "target", "content")} search for '${arg(args, "pattern")}' in ` +
      `${arg(args, "path", ".")} -> ${numberAfter(content, "total_count", false)} matches`,
  ],
  [
    "patch",
    ({ args, chars }) => `[patch] ${arg(args, "mode", "replace")} in ${arg(args, "path")} (${chars} chars result)`,
  ],
  ...BROWSER_TOOLS.map((name): [string, Shape] => [name, browser]),
  ["web_search", ({ args, chars }) => `[web_search] query='${arg(args, "query")}' (${chars} chars result)`],
  ["web_extract", webExtract],
  [
    "delegate_task",
    ({ args, chars }) => `[delegate_task] '${shortened(textArg(args, "goal"), 60)}' (${chars} chars result)`,
  ],
  ["execute_code", executeCode],
  ["skill_view", skillView],
  ["skills_list", named],
  ["skill_manage", named],
  [
    "vision_analyze",
    ({ args, chars }) => `[vision_analyze] '${headCodePoints(textArg(args, "question"), 50)}' (${chars} chars)`,
  ],
  ["memory", ({ args }) => `[memory] ${arg(args, "action")} on ${arg(args, "target")}`],
  ["todo", () => "[todo] updated task list"],
  ["todo_list", () => "[todo] updated task list"],
  ["clarify", ({ content }) => clarify(content)],
  ["text_to_speech", ({ chars }) => `[text_to_speech] generated audio (${chars} chars)`],
  ["cronjob", ({ args }) => `[cronjob] ${arg(args, "action")}`],
  ["cronjob_manage", ({ args }) => `[cronjob] ${arg(args, "action")}`],
  ["process", ({ args }) => `[process] ${arg(args, "action")} session=${arg(args, "session_id")}`],
  ["process_manage", ({ args }) => `[process] ${arg(args, "action")} session=${arg(args, "session_id")}`],
]);

/**
 * The line that Hermes leaves of an old result (`_summarize_tool_result`, v2026.8.16.2). Line breaks of a command stay in it.
 * @param args the arguments as written in the tool call.
 */
export function oneLineSummary(tool: string, args: string, content: string): string {
  const parsed = args === "" ? undefined : parsePythonJson(args);
  const facts: Facts = {
    name: tool,
    args: isDict(parsed) ? parsed : { kind: "object", members: new Map() },
    content,
    chars: grouped(countCodePoints(content)),
    lines: pyStrip(content) === "" ? 0 : countLineFeeds(content) + 1,
  };
  return (SHAPES.get(tool) ?? generic)(facts) ?? `[${tool}] (${facts.chars} chars result)`;
}

/** `args.get(key, fallback)` inside an f-string. */
function arg(args: PythonDict, key: string, fallback = "?"): string {
  const value = args.members.get(key);
  return value === undefined ? fallback : pythonStr(value);
}

/** An argument that must be a text: anything else is written out, null is empty. */
function textArg(args: PythonDict, key: string): string {
  const value = args.members.get(key);
  if (value === undefined || (value.kind === "literal" && value.text === "null")) return "";
  return pythonStr(value);
}

function shortened(text: string, limit: number): string {
  return countCodePoints(text) > limit ? `${headCodePoints(text, limit - 3)}...` : text;
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function numberAfter(content: string, key: string, signed: boolean): string {
  const pattern = signed ? `"${key}"\\s*:\\s*(-?\\p{Nd}+)` : `"${key}"\\s*:\\s*(\\p{Nd}+)`;
  return new RegExp(pattern, "u").exec(content)?.[1] ?? "?";
}

function terminal({ args, content, lines }: Facts): string {
  const command = shortened(textArg(args, "command"), 80);
  return `[terminal] ran \`${command}\` -> exit ${numberAfter(content, "exit_code", true)}, ${lines} lines output`;
}

function writeFile({ args }: Facts): string {
  const lines = isTruthy(args.members.get("content")) ? String(countLineFeeds(textArg(args, "content")) + 1) : "?";
  return `[write_file] wrote to ${arg(args, "path")} (${lines} lines)`;
}

function browser({ name, args, chars }: Facts): string {
  const url = args.members.get("url");
  const ref = args.members.get("ref");
  const detail = isTruthy(url) ? ` ${pythonStr(url)}` : isTruthy(ref) ? ` ref=${pythonStr(ref)}` : "";
  return `[${name}]${detail} (${chars} chars)`;
}

function webExtract({ args, chars }: Facts): string | undefined {
  const urls = args.members.get("urls");
  const items = urls?.kind === "array" ? urls.items : [];
  const first = items[0];
  let shown: PythonJson | undefined = first?.kind === "string" ? first : undefined;
  if (isDict(first)) shown = [first.members.get("url"), first.members.get("href")].find(isTruthy);
  const more = items.length > 1 ? ` (+${items.length - 1} more)` : "";
  if (more !== "" && shown !== undefined && shown.kind !== "string") return undefined;
  return `[web_extract] ${shown === undefined ? "?" : pythonStr(shown)}${more} (${chars} chars)`;
}

function executeCode({ args, lines }: Facts): string {
  const code = textArg(args, "code");
  const more = countCodePoints(code) > 60 ? "..." : "";
  return `[execute_code] \`${headCodePoints(code, 60).replaceAll("\n", " ")}${more}\` (${lines} lines output)`;
}

function skillView({ args, content, chars }: Facts): string {
  const skill = arg(args, "name");
  const line = `[skill_view] name=${skill} (${chars} chars)`;
  if (countCodePoints(content) <= SKILL_NOTE_ABOVE) return line;
  return `${line} [SKILL_PRUNED: content lost in compression; reload with skill_view(name='${skill}')]`;
}

function named({ name, args, chars }: Facts): string {
  return `[${name}] name=${arg(args, "name")} (${chars} chars)`;
}

function clarify(content: string): string {
  const answer = answerOf(parsePythonJson(content));
  if (answer === undefined) return "[clarify] asked user a question";
  // Lone surrogates become their escape, so that the line can be stored.
  const quoted = pythonDumps(answer).replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  const line = `[clarify] user responded: ${quoted}`;
  if (countCodePoints(line) < PRUNE_MIN_CHARS) return line;
  return `${trimEnd(headCodePoints(line, PRUNE_MIN_CHARS - 1 - TRUNCATED.length))}${TRUNCATED}`;
}

/** What the user said: a text or a list of texts, none of them empty or a stand-in for silence. */
function answerOf(result: PythonJson | undefined): PythonJson | undefined {
  const response = isDict(result) ? result.members.get("user_response") : undefined;
  const items = response?.kind === "array" ? response.items : response === undefined ? [] : [response];
  if (items.length === 0) return undefined;
  for (const item of items) {
    if (item.kind !== "string" || item.text === "") return undefined;
    const said = trimStart(item.text);
    if (NO_ANSWER.some((prefix) => said.startsWith(prefix))) return undefined;
  }
  return response;
}

/** Python's `lstrip` and `rstrip`, whose white space is not JavaScript's. */
function trimStart(text: string): string {
  return pyStrip(`${text}.`).slice(0, -1);
}

function trimEnd(text: string): string {
  return pyStrip(`.${text}`).slice(1);
}

function generic({ name, args, chars }: Facts): string {
  const first = [...args.members].slice(0, 2).map(([key, value]) => ` ${key}=${headCodePoints(pythonStr(value), 40)}`);
  return `[${name}]${first.join("")} (${chars} chars result)`;
}

/**
 * Arguments of a tool call with every text in them cut to 200 code points (`_truncate_tool_call_args_json`); unchanged when
 * they are no JSON. Applies to arguments of more than 500 code points.
 */
export function truncateArguments(args: string): string {
  const parsed = parsePythonJson(args);
  return parsed === undefined ? args : pythonDumps(shrink(parsed));
}

/** Arguments at or below this length stay as they are. Code points. */
export const ARGS_KEPT = 500;
const LEAF_KEPT = 200;

function shrink(value: PythonJson): PythonJson {
  switch (value.kind) {
    case "literal":
      return value;
    case "string":
      return countCodePoints(value.text) > LEAF_KEPT
        ? pythonText(headCodePoints(value.text, LEAF_KEPT) + TRUNCATED)
        : value;
    case "array":
      return { kind: "array", items: value.items.map(shrink) };
    case "object":
      return { kind: "object", members: new Map([...value.members].map(([key, member]) => [key, shrink(member)])) };
  }
}
