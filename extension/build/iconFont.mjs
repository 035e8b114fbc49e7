/** The icon font with only the icons that the page uses: 126 KB become a few, in a package that counts every kilobyte. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
// @ts-expect-error The package ships no types.
import subsetFont from "subset-font";

/** Names in dist/. */
export const ICON_FONT = "codicon.ttf";
export const ICON_CSS = "codicon.css";

/** The stylesheet that the page links: the class rules are the page's own, because a document's rules do not reach shadow roots. */
export const ICON_STYLES =
  '@font-face { font-family: "codicon"; font-display: block; src: url("./codicon.ttf") format("truetype"); }\n';

/**
 * The font's bytes, cut down to the code points in `webview/src/styles/codicons.ts`. Throws when none is found there.
 * @param {string} root the repository
 */
export async function iconFont(root) {
  const table = readFileSync(join(root, "webview/src/styles/codicons.ts"), "utf8");
  const points = [...table.matchAll(/: 0x([0-9a-f]{4}),/g)].map((match) =>
    String.fromCodePoint(Number.parseInt(match[1] ?? "", 16)),
  );
  if (points.length === 0) throw new Error("webview/src/styles/codicons.ts names no icon; see ICONS there");
  const font = readFileSync(join(root, "node_modules/@vscode/codicons/dist/codicon.ttf"));
  return subsetFont(font, points.join(""), { targetFormat: "truetype" });
}
