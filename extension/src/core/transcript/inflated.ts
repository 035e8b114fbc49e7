import { err, ok, type Problem, type Result } from "../model/problem";
import type { FileFormatId } from "../model/transcript";
import type { FileAccess, FileSource, StartHelper, Unpacked, Unpacker, Utf8, Wasm } from "../ports";
import { composeOpencodeSession } from "./opencodeStore";
import { composeOpenhandsConversation } from "./openhandsStore";
import { unreadable } from "./unreadable";

/** Largest packed file that is taken into memory, and the most that is unpacked from it. */
export const MAX_PACKED_BYTES = 64 * 1024 * 1024;
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

export interface TextPorts {
  readonly utf8: Utf8;
  /** Without it packed files are named, not read. */
  readonly unpacker?: Unpacker | undefined;
  /** Without it every record is parsed. */
  readonly wasm?: Wasm | undefined;
  /** Without it one thread does all. */
  readonly helper?: StartHelper | undefined;
  /** Without it a session that is spread over files is named, not read. */
  readonly files?: FileAccess | undefined;
}

export interface Opened {
  /** The file itself, or what it stands for; places in records count bytes of this. */
  readonly source: FileSource;
  readonly problems: readonly Problem[];
  /** Where it is known without looking at the content. */
  readonly format?: FileFormatId;
  /** Other files than this one hold parts of it. */
  readonly spread?: true;
  /** Of the session, where the file's own name says nothing about it. */
  readonly name?: string;
}

/** What a transcript's file stands for: itself, what is packed in it, or the session whose other files lie beside it. */
export async function openedSource(file: FileSource, ports: TextPorts): Promise<Result<Opened>> {
  const { files, utf8 } = ports;
  if (files !== undefined) {
    try {
      const store = { files, utf8 };
      const session = (await composeOpencodeSession(file, store)) ?? (await composeOpenhandsConversation(file, store));
      if (session !== undefined) return ok(session);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return err(unreadable(file, error));
    }
  }
  return inflated(file, ports);
}

/** How a file is packed: its name for people, and the tool that unpacks it. */
const PACKINGS = {
  gunzip: { name: "gzip", tool: "gzip -d" },
  unzstd: { name: "Zstandard", tool: "zstd -d" },
} as const;
type Packing = keyof typeof PACKINGS;

/** A file packed with gzip or Zstandard as what it holds, in memory; any other file as it is. Errors of reading are left to the reader. */
export async function inflated(
  source: FileSource,
  ports: TextPorts,
  maxBytes = MAX_UNPACKED_BYTES,
): Promise<Result<Opened>> {
  const { unpacker } = ports;
  const packing = unpacker === undefined ? undefined : await packingOf(source);
  if (unpacker === undefined || packing === undefined) return ok({ source, problems: [] });
  const { name, tool } = PACKINGS[packing];
  if (source.bytes > MAX_PACKED_BYTES) {
    const text = `is packed and has ${megabytes(source.bytes)}; the limit is ${megabytes(MAX_PACKED_BYTES)}. Unpack it (${tool}) and open the result.`;
    return err({ code: "packed-too-large", severity: "error", message: `${source.path} ${text}` });
  }
  let packed: Uint8Array;
  try {
    packed = await source.read(0, source.bytes);
  } catch (error) {
    return err(unreadable(source, error));
  }
  const { bytes, state } = await unpacker[packing](packed, maxBytes);
  if (state === "window") {
    const text = `is packed with ${name} in a way that takes too much memory to undo here. Unpack it (${tool}) and open the result.`;
    return err({ code: "packed-too-large", severity: "error", message: `${source.path} ${text}` });
  }
  if (bytes.length === 0) {
    const text = `is packed with ${name}, but nothing can be unpacked from it. Check that it was copied whole.`;
    return err({ code: "damaged-archive", severity: "error", message: `${source.path} ${text}` });
  }
  const unpacked: FileSource = {
    path: source.path,
    bytes: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
  return ok({ source: unpacked, problems: problemsOf(source, state, tool) });
}

async function packingOf(source: FileSource): Promise<Packing | undefined> {
  if (source.bytes < 4) return undefined;
  try {
    const head = await source.read(0, 4);
    if (head[0] === 0x1f && head[1] === 0x8b) return "gunzip";
    return isZstd(head) ? "unzstd" : undefined;
  } catch {
    // Whoever reads the file next meets the same error and tells it.
    return undefined;
  }
}

/** A frame, or one of the 16 kinds of frames that hold other people's data (RFC 8878, 3.1). */
function isZstd(head: Uint8Array): boolean {
  const [first = 0, ...rest] = head;
  const isFrame = first === 0x28 && rest[0] === 0xb5 && rest[1] === 0x2f && rest[2] === 0xfd;
  return isFrame || (first >>> 4 === 5 && rest[0] === 0x2a && rest[1] === 0x4d && rest[2] === 0x18);
}

function problemsOf(source: FileSource, state: Unpacked["state"], tool: string): readonly Problem[] {
  if (state === "whole") return [];
  const message =
    state === "capped"
      ? `${source.path} unpacks to more than ${megabytes(MAX_UNPACKED_BYTES)}; only that much is read. Unpack it (${tool}) and open the result.`
      : `${source.path} is damaged or cut off: what could be unpacked is read, the rest is missing.`;
  return [{ code: state === "capped" ? "unpacked-too-large" : "damaged-archive", severity: "error", message }];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`;
}
