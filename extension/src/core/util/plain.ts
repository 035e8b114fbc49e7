const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Makes text from files fit for a line of text: control characters (C0, DEL, C1), bidirectional overrides, zero-width and
 * line-separator characters and lone surrogates become visible escapes, so that nothing in a transcript can move a terminal's
 * cursor, recolour the screen or reorder what is read.
 */
export function plain(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => NAMED[character] ?? `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}
