import { html, nothing, type TemplateResult } from "lit";
import type { IconName } from "../styles/codicons";

/** A codicon. Decoration only: the word beside it or the control's name carries the meaning. */
export function icon(name: IconName, options: { readonly slot?: string; readonly tone?: string } = {}): TemplateResult {
  return html`<span
    class=${`codicon codicon-${name}${options.tone === undefined ? "" : ` tone-${options.tone}`}`}
    slot=${options.slot ?? nothing}
    aria-hidden="true"
  ></span>`;
}
