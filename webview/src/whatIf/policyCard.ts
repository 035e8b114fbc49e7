import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { findPreset } from "../../../extension/src/core/compaction/policy";
import {
  POLICY_FIELDS,
  type PolicyField,
  type PolicyFieldValue,
  readPolicyField,
  withField,
  writePolicyField,
} from "../../../extension/src/core/compaction/policyFields";
import type { Policy } from "../../../extension/src/core/model/policy";
import type { WhatIfPolicyReport } from "../../../extension/src/protocol/whatIf";
import { button } from "../components/controls/button";
import { icon } from "../components/icon";
import { formatFor } from "../format";
import { baseStyles } from "../styles/base";
import { cardStyles } from "./cardStyles";
import { controlStyles } from "./controlStyles";
import { reportLines } from "./sentences";
import type { WhatIfActions } from "./whatIfLoader";
import type { PolicyCard as Card } from "./whatIfSetup";
import { whatIfStrings } from "./whatIfStrings";
import "./wholeField";

const words = whatIfStrings.card;

/** How many parameters stand on a card; the others are under "More". */
const FEW: Readonly<Record<Policy["kind"], number>> = {
  persist: 1,
  prune: 3,
  micro: 2,
  clear: 2,
  window: 2,
  proactive: 2,
};

/** One policy: on or off, its parameters, its place in the order, and what it did. */
@customElement("cbi-policy-card")
export class PolicyCardElement extends LitElement {
  static override readonly styles = [...baseStyles, controlStyles, cardStyles];

  @property({ attribute: false }) card: Card | null = null;
  @property({ attribute: false }) report: WhatIfPolicyReport | null = null;
  @property({ attribute: false }) first = false;
  @property({ attribute: false }) last = false;
  /** Calls of the run, where other policies ran too; null = this one ran alone. */
  @property({ attribute: false }) others: number | null = null;
  @property({ attribute: false }) open = false;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: WhatIfActions | null = null;

  protected override render(): TemplateResult | typeof nothing {
    const { card } = this;
    if (card === null) {
      return nothing;
    }
    const { policy } = card;
    const preset = findPreset(card.preset);
    const name = whatIfStrings.presets[card.preset] ?? card.preset;
    const fields = POLICY_FIELDS[policy.kind];
    const few = fields.slice(0, fewOf(policy));
    const more = fields.slice(few.length);
    return html`<section class=${card.on ? "card" : "card off"} aria-label=${name}>
      <div class="head">
        <input
          id="on"
          type="checkbox"
          aria-label=${words.on(name)}
          .checked=${card.on}
          @change=${() => this.actions?.change({ t: "toggle", id: card.id })}
        />
        <h3>
          <label for="on">${name}</label>
          ${
            preset?.approximation === undefined
              ? nothing
              : html`<span class="mark" title=${preset.approximation}>${whatIfStrings.approximation}</span>`
          }
        </h3>
        ${this.renderTools(card)}
      </div>
      <p class="about">${whatIfStrings.kinds[policy.kind].does}</p>
      <div class="fields">${few.map((field) => this.renderField(card, field))}</div>
      <button
        class="disclose"
        type="button"
        aria-expanded=${this.open}
        aria-controls="more"
        @click=${() => this.actions?.change({ t: "open", id: card.id, on: !this.open })}
      >
        ${icon(this.open ? "chevron-down" : "chevron-right")}${this.open ? words.less : words.more}
      </button>
      <div id="more" ?hidden=${!this.open}>
        ${
          this.open
            ? html`<div class="fields">${more.map((field) => this.renderField(card, field))}</div>
                ${
                  preset === undefined
                    ? nothing
                    : html`<div class="source quiet">
                        <p>${whatIfStrings.source}: ${preset.source}</p>
                        ${preset.approximation === undefined ? nothing : html`<p>${preset.approximation}</p>`}
                      </div>`
                }`
            : nothing
        }
      </div>
      ${this.renderReport(card)}
    </section>`;
  }

  private renderTools(card: Card): TemplateResult {
    const { id } = card;
    return html`<div class="tools">
      ${button({
        label: words.up,
        kind: "icon",
        icon: "arrow-up",
        disabled: this.first,
        press: () => this.move(id, -1),
      })}${button({
        label: words.down,
        kind: "icon",
        icon: "arrow-down",
        disabled: this.last,
        press: () => this.move(id, 1),
      })}${button({
        label: words.reset,
        kind: "icon",
        icon: "discard",
        press: () => this.actions?.change({ t: "reset", id }),
      })}${button({
        label: words.remove,
        kind: "icon",
        icon: "close",
        press: () => {
          this.actions?.change({ t: "remove", id });
          // What had the focus is gone; the panel gives it a place.
          this.dispatchEvent(new CustomEvent("card-removed"));
        },
      })}
    </div>`;
  }

  /** Moving takes the focus away in between; afterwards the same button has it, or at an end its neighbour. */
  private move(id: number, by: -1 | 1): void {
    this.actions?.change({ t: "move", id, by });
    const focus = (): void => {
      const [up, down] = this.renderRoot.querySelectorAll<HTMLElement>(".tools > *");
      const [wanted, other] = by < 0 ? [up, down] : [down, up];
      (wanted?.hasAttribute("disabled") === true ? other : wanted)?.focus();
    };
    // The toolkit's buttons take a frame to become enabled.
    requestAnimationFrame(() => requestAnimationFrame(focus));
  }

  private renderReport(card: Card): TemplateResult | typeof nothing {
    const { report } = this;
    if (!card.on || report === null) {
      return nothing;
    }
    return html`<div class="report quiet">${reportLines(report, this.others, formatFor(this.locale)).map((line) => html`<p>${line}</p>`)}</div>`;
  }

  private renderField(card: Card, field: PolicyField): TemplateResult {
    const { policy } = card;
    const { label, tip } = whatIfStrings.fields[`${policy.kind}.${field.key}`] ?? { label: field.key, tip: "" };
    const set = (value: PolicyFieldValue): void =>
      this.actions?.change({ t: "policy", id: card.id, policy: withField(policy, field, value) });
    const id = `field-${field.key}`;
    switch (field.type) {
      case "whole":
        return html`<cbi-whole-field
          .label=${label}
          .tip=${tip}
          .value=${wholeOf(policy, field)}
          .min=${field.min}
          .sliderMax=${field.sliderMax}
          .nullable=${field.nullable}
          .unit=${field.unit}
          .locale=${this.locale}
          .read=${(written: string) => readWhole(policy, field, written)}
          @field-change=${(event: CustomEvent<number | null>) => set(event.detail)}
        ></cbi-whole-field>`;
      case "flag":
        return html`<label class="head flag" title=${tip}
          ><input
            type="checkbox"
            .checked=${writePolicyField(policy, field) === "true"}
            @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
          />${label}</label
        >`;
      case "choice":
        return html`<div class="pair" title=${tip}>
          <label for=${id}>${label}</label>
          <select id=${id} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
            ${field.values.map(
              (value) =>
                html`<option value=${value} ?selected=${writePolicyField(policy, field) === value}>
                  ${words.values[value] ?? value}
                </option>`,
            )}
          </select>
        </div>`;
      case "text":
      case "names":
      case "thresholds":
        return html`<div class="pair" title=${tip}>
          <label for=${id}>${label}</label>
          <input
            id=${id}
            class="mono"
            type="text"
            autocomplete="off"
            spellcheck="false"
            placeholder=${words.none}
            .value=${writePolicyField(policy, field)}
            @change=${(event: Event) => this.setText(event.target as HTMLInputElement, policy, field, set)}
          />
          <p class="invalid" role="alert" hidden>${whatIfStrings.card.invalidList}</p>
        </div>`;
    }
  }

  private setText(
    input: HTMLInputElement,
    policy: Policy,
    field: PolicyField,
    set: (value: PolicyFieldValue) => void,
  ): void {
    const read = readPolicyField(policy.kind, field, input.value);
    const message = input.parentElement?.querySelector<HTMLElement>(".invalid");
    input.setAttribute("aria-invalid", String(!read.ok));
    message?.toggleAttribute("hidden", read.ok);
    if (read.ok) {
      set(read.value);
    }
  }
}

function fewOf(policy: Policy): number {
  // Without a threshold the window decides, so it belongs in sight.
  return policy.kind === "persist" && policy.threshold === null ? 2 : FEW[policy.kind];
}

function wholeOf(policy: Policy, field: PolicyField): number | null {
  const value = readPolicyField(policy.kind, field, writePolicyField(policy, field));
  return value.ok && typeof value.value === "number" ? value.value : null;
}

/** Separators that people put between digits are left out, except for the threshold, which is read as the config would be. */
function readWhole(policy: Policy, field: PolicyField, written: string): number | null | undefined {
  const isThreshold = policy.kind === "persist" && field.key === "threshold";
  const read = readPolicyField(policy.kind, field, isThreshold ? written : written.replace(/[\s,.'’_]/gu, ""));
  return read.ok && (read.value === null || typeof read.value === "number") ? read.value : undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-policy-card": PolicyCardElement;
  }
}
