export type TokenKind =
  | "stream-end"
  | "version-directive"
  | "tag-directive"
  | "other-directive"
  | "document-start"
  | "document-end"
  | "block-sequence"
  | "block-mapping"
  | "block-end"
  | "flow-sequence"
  | "flow-sequence-end"
  | "flow-mapping"
  | "flow-mapping-end"
  | "block-entry"
  | "flow-entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** One token. Every kind has the same fields so that the engine keeps one object shape. Offsets are UTF-16 units. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** Scalar text, anchor or alias name, tag suffix, `%TAG` prefix or major version. */
  readonly text: string;
  /** Tag or `%TAG` handle, minor version, offsets of escaped surrogates (see PyValue); empty otherwise. */
  readonly extra: string;
  readonly style: ScalarStyle;
}

export function token(
  kind: TokenKind,
  start: number,
  end: number,
  text = "",
  extra = "",
  style: ScalarStyle = "plain",
): Token {
  return { kind, start, end, text, extra, style };
}
