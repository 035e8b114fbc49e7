import type { Utf8 } from "../ports";
import { isObject, own } from "./json";

/** Bytes of the beginning that tell a document written for people. */
const HEAD_BYTES = 4096;
/** `EXPORTER_VERSION` of NousResearch/hermes-agent hermes_cli/session_export_md.py. */
const HERMES_MARKDOWN = /^---\r?\n(?:[a-z_]+: .*\r?\n){1,40}?exporter: "hermes sessions export \(md\/qmd\)/;
/** A line of `agent.log` and its like (NousResearch/hermes-agent hermes_logging.py). */
const LOG_LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b/;

const OPEN_INSTEAD = "Open state.db, or export the session again as JSON Lines (hermes sessions export).";

/**
 * What a file is that some agent writes and that holds no messages to be measured, and what to open instead; undefined for
 * all others. `root` = the first value of a JSON file, as far as it was seen.
 */
export function readableKind(head: Uint8Array, root: unknown, utf8: Utf8): string | undefined {
  const text = utf8.decode(head.subarray(0, HEAD_BYTES)).text;
  if (HERMES_MARKDOWN.test(text)) {
    return `is a session that Hermes exported for reading, as Markdown: it does not tell what stands in the context. ${OPEN_INSTEAD}`;
  }
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) {
    return `is a web page. Agents export those for reading; open the session that it was made from. Of Hermes: ${OPEN_INSTEAD}`;
  }
  if (!isObject(root) && LOG_LINE.test(text)) {
    return "is a log as Hermes writes it: it tells of requests, but holds no texts. Open state.db; the command line compares thresholds over such logs (context-budget ab --log).";
  }
  if (!isObject(root)) return undefined;
  if (["session_id", "sha256", "path", "exported_at"].every((key) => own(root, key) !== undefined)) {
    return `is the list of what Hermes exported for reading. ${OPEN_INSTEAD}`;
  }
  // hermes-agent gateway/session.py: the index of the gateway's sessions, by chat.
  const entries = Object.values(root);
  const isIndex =
    entries.length > 0 && entries.every((entry) => own(entry, "session_key") !== undefined && own(entry, "session_id"));
  return isIndex
    ? "is the list of a Hermes gateway's sessions. Open state.db, or a session's file in the folder that it lies in."
    : undefined;
}
