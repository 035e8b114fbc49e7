import { getLocation } from "jsonc-parser";

/** Where in a JSON document an offset lies; the range is the token there, empty between tokens. */
export interface JsonPlace {
  readonly path: readonly string[];
  readonly isKey: boolean;
  readonly start: number;
  readonly end: number;
}

/** Where a UTF-16 offset stands in a JSON text, comments allowed. */
export function jsonPlace(text: string, offset: number): JsonPlace {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const touches =
    previousNode !== undefined && previousNode.offset <= offset && offset <= previousNode.offset + previousNode.length;
  return {
    path: path.map(String),
    isKey: isAtPropertyKey,
    start: touches ? previousNode.offset : offset,
    end: touches ? previousNode.offset + previousNode.length : offset,
  };
}
