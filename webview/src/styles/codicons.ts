import { type CSSResult, unsafeCSS } from "lit";

/** Code points of the icons in use. The font itself comes from codicon.css, which the host links; its class rules do not reach shadow roots. */
export const ICONS = {
  add: 0xea60,
  archive: 0xea98,
  "arrow-down": 0xea9a,
  "arrow-up": 0xeaa1,
  blank: 0xec03,
  check: 0xeab2,
  "chevron-down": 0xeab4,
  "chevron-right": 0xeab6,
  "circle-outline": 0xeabc,
  "circle-slash": 0xeabd,
  "clear-all": 0xeabf,
  close: 0xea76,
  copy: 0xebcc,
  diff: 0xeae1,
  discard: 0xeae2,
  error: 0xea87,
  export: 0xebac,
  "file-media": 0xeaea,
  filter: 0xeaf1,
  fold: 0xeaf5,
  "folder-opened": 0xeaf7,
  "go-to-file": 0xea94,
  history: 0xea82,
  info: 0xea74,
  link: 0xeb15,
  "list-flat": 0xeb84,
  lock: 0xea75,
  package: 0xeb29,
  pass: 0xeba4,
  question: 0xeb32,
  refresh: 0xeb37,
  "screen-cut": 0xec7f,
  search: 0xea6d,
  shield: 0xeb53,
  "sign-out": 0xea6e,
  "triangle-down": 0xeb6e,
  "triangle-up": 0xeb71,
  vm: 0xea7a,
  warning: 0xea6c,
} as const;

export type IconName = keyof typeof ICONS;

const rules = Object.entries(ICONS).map(
  ([name, code]) => `.codicon-${name}::before { content: "\\${code.toString(16)}"; }`,
);

/** Not user text: every rule is made from the table above. */
export const codicons: CSSResult = unsafeCSS(`
  .codicon {
    font: normal normal normal 16px/1 codicon;
    display: inline-block;
    flex: none;
    text-align: center;
    text-decoration: none;
    text-rendering: auto;
    -webkit-font-smoothing: antialiased;
    user-select: none;
  }
  .tone-quiet { color: var(--vscode-descriptionForeground); }
  .tone-good { color: var(--vscode-testing-iconPassed, var(--vscode-charts-green)); }
  .tone-warning { color: var(--vscode-problemsWarningIcon-foreground, var(--vscode-editorWarning-foreground)); }
  .tone-error { color: var(--vscode-problemsErrorIcon-foreground, var(--vscode-editorError-foreground)); }
  .tone-info { color: var(--vscode-problemsInfoIcon-foreground, var(--vscode-editorInfo-foreground)); }
  ${rules.join("\n")}
`);
