/** What a page of a saved result says about itself, UTF-16 units. */
export interface PageReply {
  /** Units of the page, without the words behind it. */
  readonly units: number;
  /** Where the next page begins; undefined on the last one. */
  readonly nextOffset: number | undefined;
}

const MORE = /\n\n\[Read more with [\w .-]{1,120} id "(r-[0-9a-f-]{36})" and offset (\d{1,9})\.\]$/;
const END = /\n\n\[End of retained result\.[^\]\n]{0,200}\]$/;
/** UTF-16 units at the end of an answer in which the words stand. */
const TAIL = 400;

/**
 * Reads the words that OpenMausBot's `tool_result_read` puts behind a page: where to go on, or that this was the end. Undefined
 * when they are not there: then the answer is no page. Source: the tool's answer in `server/drivers/agents-call.ts` and its forks.
 */
export function readPageReply(text: string): PageReply | undefined {
  const from = Math.max(0, text.length - TAIL);
  const tail = text.slice(from);
  const more = MORE.exec(tail);
  if (more !== null) return { units: from + more.index, nextOffset: Number(more[2]) };
  const end = END.exec(tail);
  return end === null ? undefined : { units: from + end.index, nextOffset: undefined };
}
