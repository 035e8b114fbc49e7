import { html, type TemplateResult } from "lit";

/** `vscode-badge` with a count; `label` says what is counted. */
export function badge(text: string, label: string): TemplateResult {
  return html`<vscode-badge title=${label}>${text}</vscode-badge>`;
}
