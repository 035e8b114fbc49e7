import { marked, type Token } from "marked";

/** What stands in a Markdown text, as VS Code's own parser sees it (marked with its GitHub extensions). */
export interface MarkdownParts {
  /** Addresses of links, images and raw HTML, by kind. */
  readonly active: readonly string[];
  /** Headings, tables, lists, rules and code blocks, in order. */
  readonly blocks: readonly string[];
  /** All text that is shown. */
  readonly text: string;
}

export function partsOf(markdown: string): MarkdownParts {
  const active: string[] = [];
  const blocks: string[] = [];
  const texts: string[] = [];
  marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token: Token) => {
    if (token.type === "link" || token.type === "image") active.push(`${token.type} ${token["href"]}`);
    if (token.type === "html") active.push(`html ${token.raw}`);
    if (/^(?:heading|table|list|hr|code|blockquote)$/.test(token.type)) blocks.push(token.type);
    if ((token.type === "text" && !("tokens" in token && token.tokens)) || token.type === "codespan")
      texts.push(token["text"]);
    if (token.type === "code") texts.push(token["text"]);
  });
  return { active, blocks, text: texts.join(" ") };
}

/** Texts that mean something in Markdown, to be put where text of files is shown. */
export const MARKUP: readonly string[] = [
  "![x](http://127.0.0.1:9/x.png)",
  "[x](command:workbench.action.terminal.new)",
  "[x](javascript:alert(1))",
  "[x][y]",
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "<http://127.0.0.1:9/>",
  "http://127.0.0.1:9/auto www.example.org a@example.org",
  "`` ` ``` ![x](http://127.0.0.1:9/y) ``",
  "`",
  "a | b | ![x](http://127.0.0.1:9/z)",
  "$(zap) $(link-external)",
  "**bold** _it_ ~~x~~ &lt;img&gt; &#x5b;x&#x5d;(y)",
  "\\![x\\](http://127.0.0.1:9/w)",
  "x\n\n# head\n\n![x](http://127.0.0.1:9/v)\n\n```\nfence",
  "\u202egnp.exe \u001b[31m \u200b \u0000",
];
