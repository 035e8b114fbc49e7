import { html, nothing, type TemplateResult } from "lit";
import { visibleLine } from "../visibleText";

/** Characters that stay in sight at the end of a truncated path: about a file name with its extension. */
const TAIL = 18;

/** A path or id that loses its middle first when room is short; the tooltip holds all of it. */
export function middleTruncated(text: string): TemplateResult {
  const shown = visibleLine(text);
  const chars = [...shown];
  const cut = Math.max(0, chars.length - TAIL);
  return html`<span class="middle mono" title=${shown}
    >${cut === 0 ? nothing : html`<span class="head"><bdi>${chars.slice(0, cut).join("")}</bdi></span>`}<span class="tail"
      ><bdi>${chars.slice(cut).join("")}</bdi></span
    ></span
  >`;
}

/** A text that changes many times a second, and the calm one that is spoken in its place; for an element with the role `status`. */
export function calmly(shown: string, spoken: string): TemplateResult {
  return html`<span aria-hidden="true">${shown}</span><span class="hidden-text">${spoken}</span>`;
}
