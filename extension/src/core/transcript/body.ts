import { err, ok, type Result } from "../model/problem";
import type { BodyRef } from "../model/transcript";
import type { FileSource } from "../ports";
import { walkPath } from "./bodyPath";
import { flatten } from "./flatten";
import { openedSource, type TextPorts } from "./inflated";
import { parseRecord } from "./json";
import { unreadable } from "./unreadable";

/** The text behind a reference: exactly what was measured for it. Images are counted, not returned. */
export async function readBody(
  file: FileSource,
  ref: BodyRef,
  ports: TextPorts,
): Promise<Result<{ readonly text: string; readonly images: number }>> {
  const opened = await openedSource(file, ports);
  if (!opened.ok) return opened;
  const { source } = opened.value;
  let bytes: Uint8Array;
  try {
    bytes = await source.read(ref.place.start, ref.place.end);
  } catch (error) {
    return err(unreadable(source, error));
  }
  const parsed = parseRecord(bytes, ports.utf8);
  if (!parsed.ok || bytes.length < ref.place.end - ref.place.start) {
    const message = `${source.path} has changed since it was read: line ${ref.place.line} is not the same record any more. Reload it.`;
    return err({ code: "transcript-changed", severity: "error", message, at: ref.place });
  }
  const { value, texts } = walkPath(parsed.value, ref.path, parsed.texts);
  const flat = flatten(value, texts);
  return ok({ text: flat.parts.map((part) => texts.decode(part)).join(""), images: flat.images });
}
