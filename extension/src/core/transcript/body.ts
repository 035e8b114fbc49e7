import { err, ok, type Result } from "../model/problem";
import type { BodyRef } from "../model/transcript";
import type { FileSource, Utf8 } from "../ports";
import { walkPath } from "./bodyPath";
import { flatten } from "./flatten";
import { openedSource, type TextPorts } from "./inflated";
import { type Parsed, parseRecord } from "./json";
import { unreadable } from "./unreadable";

type ParsedRecord = Extract<Parsed, { readonly ok: true }>;

/** The text behind a reference: exactly what was measured for it. Images are counted, not returned. */
export async function readBody(
  file: FileSource,
  ref: BodyRef,
  ports: TextPorts,
): Promise<Result<{ readonly text: string; readonly images: number }>> {
  const opened = await openedSource(file, ports);
  if (!opened.ok) return opened;
  return new BodyReader(opened.value.source, ports.utf8).read(ref);
}

/** Reads many texts of one opened source; several texts of one record cost one parse when they follow each other. */
export class BodyReader {
  private last: { readonly start: number; readonly end: number; readonly parsed: ParsedRecord } | undefined;

  constructor(
    private readonly source: FileSource,
    private readonly utf8: Utf8,
  ) {}

  async read(ref: BodyRef): Promise<Result<{ readonly text: string; readonly images: number }>> {
    const record = await this.record(ref);
    if (!record.ok) return record;
    const { value, texts } = walkPath(record.value.value, ref.path, record.value.texts);
    const flat = flatten(value, texts);
    return ok({ text: flat.parts.map((part) => texts.decode(part)).join(""), images: flat.images });
  }

  private async record({ place }: BodyRef): Promise<Result<ParsedRecord>> {
    const { source, last } = this;
    if (last?.start === place.start && last.end === place.end) return ok(last.parsed);
    let bytes: Uint8Array;
    try {
      bytes = await source.read(place.start, place.end);
    } catch (error) {
      return err(unreadable(source, error));
    }
    const parsed = parseRecord(bytes, this.utf8);
    if (!parsed.ok || bytes.length < place.end - place.start) {
      const message = `${source.path} has changed since it was read: line ${place.line} is not the same record any more. Reload it.`;
      return err({ code: "transcript-changed", severity: "error", message, at: place });
    }
    this.last = { start: place.start, end: place.end, parsed };
    return ok(parsed);
  }
}
