const OPEN = "<tool_response>";
const CLOSE = "</tool_response>";

/**
 * The values that Hermes puts between `<tool_response>` tags in a trajectory (one JSON object each); undefined in the
 * place of one that is not JSON. A result may quote the tags, so a block ends at the first closing tag whose content parses.
 */
export function toolResponses(text: string): readonly unknown[] {
  return taggedJson(text, OPEN, CLOSE).map((block) => block.value);
}

export interface TaggedJson {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** Closing tags tried for one block; more quoted tags than this make the block unreadable. */
const MAX_TRIES = 64;

/** JSON values between tags, with the UTF-16 range of the block, tags included. */
export function taggedJson(text: string, open: string, close: string): readonly TaggedJson[] {
  const blocks: TaggedJson[] = [];
  for (let start = text.indexOf(open); start >= 0; ) {
    const from = start + open.length;
    let end = text.indexOf(close, from);
    if (end < 0) break;
    const first = end;
    let value = parse(text.slice(from, end));
    for (let tries = 1; value === undefined && tries < MAX_TRIES; tries++) {
      end = text.indexOf(close, end + close.length);
      if (end < 0) break;
      value = parse(text.slice(from, end));
    }
    const stop = (value === undefined ? first : end) + close.length;
    blocks.push({ value, start, end: stop });
    start = text.indexOf(open, stop);
  }
  return blocks;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    // Not a whole JSON value: the tag was a quoted one, or the text is damaged; the caller tells.
    return undefined;
  }
}
