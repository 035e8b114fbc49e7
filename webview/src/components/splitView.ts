import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { clampSplit, INITIAL_UI, MAX_SPLIT, MIN_SPLIT } from "../uiState";

/** Below this width, in pixels, the second part goes under the first. */
const STACK_BELOW = 700;
/** Lower than that, in pixels, two parts over each other would show nothing: they stay side by side down to a smaller width. */
const LOW = 300;
const LOW_STACK_BELOW = 480;
/** Share by which an arrow key moves the sash. */
const STEP = 0.02;

/** Two parts with a sash between them, moved by pointer or arrow keys. Fires `split-change` with the new share of the first part. */
@customElement("cbi-split-view")
export class SplitView extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: flex;
        min-block-size: 0;
        min-inline-size: 0;
      }
      :host([stacked]) {
        flex-direction: column;
      }
      .part {
        display: grid;
        grid-template: minmax(0, 1fr) / minmax(0, 1fr);
        flex: 1 1 0;
        min-block-size: 0;
        min-inline-size: 0;
        overflow: hidden;
      }
      .sash {
        flex: none;
        position: relative;
        background: var(--vscode-panel-border, var(--vscode-contrastBorder));
        inline-size: 1px;
        cursor: ew-resize;
        touch-action: none;
      }
      :host([stacked]) .sash {
        inline-size: auto;
        block-size: 1px;
        cursor: ns-resize;
      }
      .sash::after {
        content: "";
        position: absolute;
        inset: 0 -2px;
        z-index: 2;
      }
      :host([stacked]) .sash::after {
        inset: -2px 0;
      }
      .sash:hover::after,
      .sash.dragging::after,
      .sash:focus-visible::after {
        background: var(--vscode-sash-hoverBorder, var(--vscode-focusBorder));
        transition: background 0.1s 0.2s;
      }
      .sash:focus-visible {
        outline: none;
      }
    `,
  ];

  @property({ attribute: false }) share = INITIAL_UI.split;
  @property({ type: Boolean, reflect: true }) stacked = false;
  @state() private dragging = false;
  private readonly observer = new ResizeObserver(() => {
    const below = this.clientHeight < LOW ? LOW_STACK_BELOW : STACK_BELOW;
    this.stacked = this.clientWidth < below;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override render(): TemplateResult {
    return html`<div class="part" .style=${`flex-grow: ${this.share}`}><slot name="first"></slot></div>
      <div
        class=${this.dragging ? "sash dragging" : "sash"}
        role="separator"
        tabindex="0"
        aria-label=${strings.splitter}
        aria-orientation=${this.stacked ? "horizontal" : "vertical"}
        aria-valuemin=${MIN_SPLIT * 100}
        aria-valuemax=${MAX_SPLIT * 100}
        aria-valuenow=${Math.round(this.share * 100)}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointercancel=${this.onUp}
        @dblclick=${() => this.change(INITIAL_UI.split)}
        @keydown=${this.onKey}
      ></div>
      <div class="part" .style=${`flex-grow: ${1 - this.share}`}><slot name="second"></slot></div>`;
  }

  private change(share: number): void {
    this.dispatchEvent(new CustomEvent("split-change", { detail: clampSplit(share) }));
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button === 0 && event.currentTarget instanceof HTMLElement) {
      event.currentTarget.setPointerCapture(event.pointerId);
      this.dragging = true;
    }
  };

  private readonly onMove = (event: PointerEvent): void => {
    if (this.dragging) {
      const box = this.getBoundingClientRect();
      this.change(this.stacked ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width);
    }
  };

  private readonly onUp = (): void => {
    this.dragging = false;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const less = this.stacked ? "ArrowUp" : "ArrowLeft";
    const more = this.stacked ? "ArrowDown" : "ArrowRight";
    if (event.key === less || event.key === more) {
      event.preventDefault();
      this.change(this.share + (event.key === less ? -STEP : STEP));
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.change(event.key === "Home" ? MIN_SPLIT : MAX_SPLIT);
    }
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-split-view": SplitView;
  }
}
