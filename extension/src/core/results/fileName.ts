import { err, ok, type Result } from "../model/problem";
import type { Digest } from "../ports";

/** Longest stem before a digest is added, and hex digits of that digest. */
const STEM_LIMIT = 120;
const DIGEST_DIGITS = 12;
const FALLBACK = "tool_result";

/**
 * Name of the spill file for a tool call, under `cache/spillover`. An id that is not a safe name as it stands gets the
 * beginning of its SHA-256 added, so that two ids never share a file.
 * An id with a lone surrogate cannot be encoded; Hermes raises there.
 * Source: NousResearch/hermes-agent tools/tool_result_storage.py @025d8a23.
 */
export function spillFileName(callId: string | undefined, digest: Digest): Result<string> {
  const raw = callId || FALLBACK;
  const safe = trimEdges(raw.replace(/[^A-Za-z0-9_.-]+/g, "_")) || FALLBACK;
  if (safe === raw && safe.length <= STEM_LIMIT) return ok(`${safe}.txt`);
  if (hasLoneSurrogate(raw)) {
    return err({
      code: "call-id-not-encodable",
      severity: "warning",
      message: "This call id holds half of a surrogate pair. Hermes cannot name a file after it and fails.",
    });
  }
  const stem = trimEnd(safe.slice(0, STEM_LIMIT));
  return ok(`${stem}_${digest.sha256Hex(raw).slice(0, DIGEST_DIGITS)}.txt`);
}

function isEdge(character: string): boolean {
  return character === "." || character === "_" || character === "-";
}

function trimEdges(text: string): string {
  let start = 0;
  while (start < text.length && isEdge(text.charAt(start))) start++;
  return trimEnd(text.slice(start));
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isEdge(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function hasLoneSurrogate(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) return true;
  }
  return false;
}
