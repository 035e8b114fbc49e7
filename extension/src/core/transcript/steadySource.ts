import type { FileSource } from "../ports";

/**
 * The same file, whose reads give all the bytes of a range. Some file systems give fewer although more are there; then the rest
 * is asked for, and only nothing at all means that the file ends.
 */
export function steadySource(file: FileSource): FileSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const wanted = Math.min(end, file.bytes) - start;
    let bytes = await file.read(start, end);
    while (bytes.length < wanted) {
      const more = await rest(file, start + bytes.length, end);
      if (more === undefined || more.length === 0) break;
      const joined = new Uint8Array(bytes.length + more.length);
      joined.set(bytes);
      joined.set(more, bytes.length);
      bytes = joined;
    }
    return bytes;
  };
  const { path, bytes, blocking } = file;
  return blocking === undefined ? { path, bytes, read } : { path, bytes, read, blocking };
}

/** Undefined where the disk gives no more: what came before is given, and whoever reads on from there meets the error. */
async function rest(file: FileSource, start: number, end: number): Promise<Uint8Array | undefined> {
  try {
    return await file.read(start, end);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
