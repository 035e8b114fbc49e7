import { html, type TemplateResult } from "lit";

/** A count beside a label; `label` says what is counted. Plain markup: the toolkit's badge sets a style attribute, which the page's security policy blocks. */
export function badge(text: string, label: string): TemplateResult {
  return html`<span class="badge" title=${label}>${text}</span>`;
}
