import type { Region } from "./recognition";
import { findLastWithin, findWithin, hasAt, trimRegion } from "./textScan";

/** `agent/tool_dispatch_helpers.py` @0302e76c: output of web, browser and MCP tools is framed as data. */
const WRAPPER_OPEN = '<untrusted_tool_result source="';
const WRAPPER_CLOSE = "</untrusted_tool_result>";
/** Room for the opening tag with a tool name and the fixed warning paragraph, UTF-16 units. */
const WRAPPER_HEAD_LIMIT = 2048;

/** `agent/prompt_builder.py`: a user's remark appended to the last result of a batch. Its wording after the dash has changed. */
const STEER_OPEN = "[OUT-OF-BAND USER MESSAGE — ";
const STEER_CLOSE = "[/OUT-OF-BAND USER MESSAGE]";

/** Texts that Hermes appends after a block or notice: sub-directory hints, the elision note, a steer text (two eras). */
const TRAILERS = [
  "[Subdirectory context discovered: ",
  "[hermes note: this result contains",
  STEER_OPEN,
  "User guidance: ",
  WRAPPER_CLOSE,
];

/** The result proper: without steer text behind it and without the untrusted-content wrapper around it. */
export function unwrap(text: string): Region {
  const whole = trimRegion(text, { start: 0, end: text.length });
  const unsteered = withoutSteer(text, whole);
  return withoutWrapper(text, unsteered) ?? unsteered;
}

function withoutSteer(text: string, region: Region): Region {
  let current = region;
  while (text.endsWith(STEER_CLOSE, current.end)) {
    const open = findLastWithin(text, `\n\n${STEER_OPEN}`, current.start, current.end);
    if (open < 0) return current;
    current = trimRegion(text, { start: current.start, end: open });
  }
  return current;
}

function withoutWrapper(text: string, region: Region): Region | undefined {
  if (!hasAt(text, WRAPPER_OPEN, region.start, region.end)) return undefined;
  const head = Math.min(region.end, region.start + WRAPPER_HEAD_LIMIT);
  const blank = findWithin(text, "\n\n", region.start, head);
  if (blank < 0) return undefined;
  const close = findLastWithin(text, WRAPPER_CLOSE, blank, region.end);
  return trimRegion(text, { start: blank + 2, end: close < 0 ? region.end : close });
}

/** True when nothing but white space or something that Hermes itself appends follows at `at`. */
export function onlyTrailersFollow(text: string, at: number, end: number): boolean {
  const rest = trimRegion(text, { start: at, end });
  return rest.start === rest.end || TRAILERS.some((trailer) => hasAt(text, trailer, rest.start, rest.end));
}
