import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Progress } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { button } from "./controls/button";

const words = strings.progress;

/** What is being read, how far, and a way to stop it. The bar lies over the page's upper edge, so that nothing moves when it goes. */
@customElement("cbi-progress-line")
export class ProgressLine extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 6px;
        min-inline-size: 0;
      }
      .track {
        position: fixed;
        inset-block-start: 0;
        inset-inline: 0;
        block-size: 2px;
        overflow: hidden;
      }
      .done {
        block-size: 2px;
        background: var(--vscode-progressBar-background);
        transform-origin: 0 0;
      }
      .text {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
      vscode-button {
        flex: none;
      }
    `,
  ];

  @property({ attribute: false }) progress: Progress | null = null;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) cancel: () => void = () => undefined;

  protected override render(): TemplateResult {
    const format = formatFor(this.locale);
    const { progress } = this;
    const known = progress !== null && progress.totalBytes > 0;
    const share = known ? Math.min(1, progress.doneBytes / progress.totalBytes) : 0;
    const text = known
      ? words.reading(format.percent(progress.doneBytes, progress.totalBytes), format.bytes(progress.totalBytes))
      : words.starting;
    return html`<div
        class="track"
        role="progressbar"
        aria-label=${words.label}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.floor(share * 100)}
        aria-valuetext=${text}
      >
        <div class="done" .style=${`transform: scaleX(${share})`}></div>
      </div>
      <span class="text quiet" title=${text}>${text}</span>${button({
        label: words.cancel,
        kind: "icon",
        icon: "close",
        press: this.cancel,
      })}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-progress-line": ProgressLine;
  }
}
