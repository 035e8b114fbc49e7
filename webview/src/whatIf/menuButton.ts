import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icon } from "../components/icon";
import { baseStyles } from "../styles/base";
import type { IconName } from "../styles/codicons";

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** A word beside the label, with `markTip` to say more. */
  readonly mark?: string;
  readonly markTip?: string;
}

/** A button with a menu below it, as VS Code's own menus look and move. Fires `pick` with the item's id. */
@customElement("cbi-menu-button")
export class MenuButton extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: inline-block;
      }
      button {
        all: unset;
        display: inline-flex;
        align-items: center;
        gap: 4px;
        padding: 4px 8px;
        min-block-size: 26px;
        border: 1px solid var(--vscode-button-border, transparent);
        border-radius: var(--vscode-cornerRadius-small, 2px);
        background: var(--vscode-button-secondaryBackground, transparent);
        color: var(--vscode-button-secondaryForeground, var(--vscode-foreground));
        font-size: 12px;
        line-height: 16px;
        white-space: nowrap;
        cursor: pointer;
        box-sizing: border-box;
      }
      button:hover {
        background: var(--vscode-button-secondaryHoverBackground, var(--vscode-toolbar-hoverBackground, transparent));
      }
      button:focus-visible {
        outline: 1px solid var(--vscode-focusBorder);
        outline-offset: -1px;
      }
      button:disabled {
        opacity: 0.5;
        cursor: default;
      }
      .menu {
        position: fixed;
        inset: auto;
        margin: 0;
        padding: 4px;
        max-inline-size: min(440px, calc(100vw - 16px));
        max-block-size: min(600px, calc(100vh - 16px));
        overflow: auto;
        border: 1px solid var(--vscode-menu-border, var(--vscode-contrastBorder, var(--vscode-editorWidget-border, transparent)));
        border-radius: var(--vscode-cornerRadius-small, 5px);
        background: var(--vscode-menu-background, var(--vscode-editorWidget-background));
        color: var(--vscode-menu-foreground, var(--vscode-foreground));
        box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
      }
      .item {
        padding: 4px 10px;
        border-radius: var(--vscode-cornerRadius-small, 3px);
        line-height: 18px;
        cursor: pointer;
      }
      /* The focus follows the pointer, so that one item at most stands out. */
      .item:focus {
        outline: 1px solid var(--vscode-menu-selectionBorder, var(--vscode-contrastActiveBorder, transparent));
        outline-offset: -1px;
        background: var(--vscode-menu-selectionBackground, var(--vscode-list-activeSelectionBackground, transparent));
        color: var(--vscode-menu-selectionForeground, var(--vscode-foreground));
      }
      .item p {
        overflow-wrap: anywhere;
      }
      .detail {
        font-size: 0.92em;
      }
      .mark {
        display: inline-block;
        margin-inline-start: 6px;
        padding: 0 5px;
        border: 1px solid currentcolor;
        border-radius: 9px;
        font-size: 11px;
        line-height: 15px;
      }
    `,
  ];

  @property({ attribute: false }) label = "";
  @property({ attribute: false }) tip = "";
  @property({ attribute: false }) icon: IconName = "add";
  @property({ attribute: false }) items: readonly MenuItem[] = [];
  @property({ attribute: false }) disabled = false;
  @state() private open = false;
  @query("button") private readonly button!: HTMLElement;
  @query(".menu") private readonly menu!: HTMLElement | null;

  override focus(): void {
    this.button.focus();
  }

  protected override render(): TemplateResult {
    return html`<button
        type="button"
        aria-haspopup="menu"
        aria-expanded=${this.open}
        title=${this.tip === "" ? nothing : this.tip}
        ?disabled=${this.disabled}
        @click=${() => this.toggle()}
        @keydown=${this.onButtonKey}
      >
        ${icon(this.icon)}${this.label}${icon("chevron-down")}
      </button>
      <div
        class="menu"
        popover="auto"
        role="menu"
        aria-label=${this.label}
        @toggle=${this.onToggle}
        @keydown=${this.onKey}
      >
        ${
          this.open
            ? this.items.map(
                (item) => html`<div
                  class="item"
                  role="menuitem"
                  tabindex="-1"
                  data-id=${item.id}
                  @click=${() => this.pick(item.id)}
                  @pointermove=${(event: PointerEvent) => (event.currentTarget as HTMLElement).focus()}
                >
                  <p>${item.label}${item.mark === undefined ? nothing : html`<span class="mark" title=${item.markTip ?? nothing}>${item.mark}</span>`}</p>
                  ${item.detail === "" ? nothing : html`<p class="detail">${item.detail}</p>`}
                </div>`,
              )
            : nothing
        }
      </div>`;
  }

  private toggle(): void {
    if (this.open) {
      this.menu?.hidePopover();
    } else {
      void this.show("first");
    }
  }

  private async show(focus: "first" | "last"): Promise<void> {
    this.open = true;
    await this.updateComplete;
    this.menu?.showPopover();
    this.place();
    const items = this.elements();
    (focus === "first" ? items[0] : items.at(-1))?.focus();
  }

  /** Below the button, or above it where there is more room; within the page. */
  private place(): void {
    const { menu } = this;
    if (menu === null) {
      return;
    }
    const from = this.button.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.max(8, Math.min(from.left, innerWidth - width - 8));
    const below = innerHeight - from.bottom;
    const top = below >= height + 8 || below >= from.top ? from.bottom + 2 : Math.max(8, from.top - height - 2);
    menu.style.left = `${left}px`;
    menu.style.top = `${Math.min(top, Math.max(8, innerHeight - height - 8))}px`;
  }

  private elements(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".item")];
  }

  private pick(id: string): void {
    this.close();
    this.dispatchEvent(new CustomEvent("pick", { detail: id }));
  }

  private close(): void {
    this.menu?.hidePopover();
    this.button.focus();
  }

  private readonly onToggle = (event: ToggleEvent): void => {
    this.open = event.newState === "open";
  };

  private readonly onButtonKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      void this.show(event.key === "ArrowDown" ? "first" : "last");
    }
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const items = this.elements();
    const { activeElement } = this.shadowRoot ?? {};
    const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1;
    const to: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = to[event.key];
    if (next !== undefined) {
      event.preventDefault();
      items[next]?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const id = items[at]?.dataset["id"];
      if (id !== undefined) {
        this.pick(id);
      }
    } else if (event.key === "Tab") {
      this.close();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    }
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-menu-button": MenuButton;
  }
}
