import { placeholder, type RecogniseContext, type Recognition, type Region } from "./recognition";
import { findLastWithin, findWithin, hasAt, isExactly } from "./textScan";

/** Longest one-line summary, UTF-16 units. Commands are cut at 80 characters, addresses and paths are not cut. */
const SUMMARY_LIMIT = 8192;
const TOOL_NAME_LIMIT = 128;
const PRUNE_MARKER = "\n\n[... tool result middle pruned ...]\n\n";
const SKILL_PRUNED = " [SKILL_PRUNED: content lost in compression; reload with skill_view(name='";

/** Whole-text placeholders of compaction (hermes.md 4.1, 4.6) and the marker of PR #85479 (4.4). */
export function recognisePlaceholder(text: string, region: Region, context: RecogniseContext): Recognition | undefined {
  if (hasAt(text, "[", region.start, region.end)) {
    if (isExactly(text, "[Old tool output cleared to save context space]", region))
      return placeholder("hermes-cleared");
    if (isExactly(text, "[Duplicate tool output — same content as a more recent call]", region)) {
      return placeholder("hermes-duplicate");
    }
    if (
      isExactly(text, "[screenshot removed to save context]", region) ||
      isExactly(text, "[Attached image — stripped after compression]", region)
    ) {
      return placeholder("hermes-screenshot");
    }
    if (hasAt(text, "[screenshot removed] ", region.start, region.end) && region.end - region.start <= SUMMARY_LIMIT) {
      return placeholder("hermes-screenshot-summary");
    }
    if (isSummary(text, region, context.tool)) return placeholder("hermes-summary");
  }
  return isPruned(text, region) ? placeholder("hermes-prune") : undefined;
}

/** Exactly one marker: a text about pruning that shows it twice, or quoted inside JSON, is not pruned. */
function isPruned(text: string, region: Region): boolean {
  const at = findWithin(text, PRUNE_MARKER.trim(), region.start, region.end);
  if (at < 0) return false;
  // Head or tail may be empty, and white space at the ends is no longer part of the region.
  const literal = PRUNE_MARKER.trim();
  const before = at === region.start || text.startsWith("\n\n", at - 2);
  const after = at + literal.length === region.end || text.startsWith("\n\n", at + literal.length);
  return before && after && findWithin(text, literal, at + 1, region.end) < 0;
}

/** One-line summaries (hermes.md 4.2). Each begins with the tool's name in brackets and has the shape of that tool. */
function isSummary(text: string, region: Region, tool: string | undefined): boolean {
  if (region.end - region.start > SUMMARY_LIMIT) return false;
  const close = findWithin(text, "] ", region.start, Math.min(region.end, region.start + TOOL_NAME_LIMIT));
  if (close < 0) return false;
  const name = text.slice(region.start + 1, close);
  if (!isToolName(name) || (tool !== undefined && tool !== name && name !== "unknown")) return false;
  return hasShape(name, withoutSkillNote(text.slice(close + 2, region.end)));
}

function isToolName(name: string): boolean {
  return name !== "" && /^[\w.:/-]+$/u.test(name);
}

function withoutSkillNote(line: string): string {
  const at = findLastWithin(line, SKILL_PRUNED, 0, line.length);
  return at >= 0 && line.endsWith("')]") ? line.slice(0, at) : line;
}

function hasShape(name: string, line: string): boolean {
  switch (name) {
    case "terminal":
      return line.startsWith("ran `") && line.includes("` -> exit ") && endsInCount(line, ", ", " lines output");
    case "read_file":
      return line.startsWith("read ") && line.includes(" from line ") && endsInCount(line, " (", " chars)");
    case "write_file":
      return line.startsWith("wrote to ") && endsInCount(line, " (", " lines)");
    case "search_files":
      return line.includes(" search for '") && line.includes("' in ") && endsInCount(line, " -> ", " matches");
    case "patch":
      return line.includes(" in ") && endsInCount(line, " (", " chars result)");
    case "web_search":
      return line.startsWith("query='") && endsInCount(line, "' (", " chars result)");
    case "web_extract":
      return endsInCount(line, " (", " chars)");
    case "delegate_task":
      return line.startsWith("'") && endsInCount(line, "' (", " chars result)");
    case "execute_code":
      return line.startsWith("`") && endsInCount(line, "` (", " lines output)");
    case "skill_view":
    case "skills_list":
    case "skill_manage":
      return line.startsWith("name=") && endsInCount(line, " (", " chars)");
    case "vision_analyze":
      return line.startsWith("'") && endsInCount(line, "' (", " chars)");
    case "text_to_speech":
      return endsInCount(line, "generated audio (", " chars)");
    case "memory":
      return isShortLine(line) && line.includes(" on ");
    case "todo":
      return line === "updated task list";
    case "clarify":
      return line === "asked user a question" || line.startsWith("user responded: ");
    case "cronjob":
      return isShortLine(line);
    case "process":
      return isShortLine(line) && line.includes(" session=");
    default:
      return (
        endsInCount(line, "(", " chars result)") || (name.startsWith("browser_") && endsInCount(line, "(", " chars)"))
      );
  }
}

/** True when the line ends in `before`, a number or `?`, `after`. */
function endsInCount(line: string, before: string, after: string): boolean {
  if (!line.endsWith(after)) return false;
  let start = line.length - after.length;
  const stop = start;
  while (start > 0 && isCountUnit(line.charCodeAt(start - 1))) start--;
  return start < stop && line.endsWith(before, start);
}

function isCountUnit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2c || unit === 0x3f;
}

function isShortLine(line: string): boolean {
  return line.length <= 200 && !line.includes("\n");
}
