import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { formatFor } from "../format";
import { baseStyles } from "../styles/base";
import { CHARS_PER_TOKEN } from "./chartGeometry";
import { controlStyles } from "./controlStyles";
import { nearestStop, niceValues, stepFrom } from "./niceValues";
import { whatIfStrings } from "./whatIfStrings";

const words = whatIfStrings.card;
/** Stops that PageUp and PageDown move by. */
const PAGE = 20;

export type WholeUnit = "chars" | "tokens" | "count" | "seconds";

/** A whole number to type or to slide. Fires `field-change` with the new value (null = none); what cannot be read changes nothing and is said. */
@customElement("cbi-whole-field")
export class WholeField extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    controlStyles,
    css`
      :host {
        display: block;
        min-inline-size: 0;
      }
      .row {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 92px 34px;
        align-items: center;
        gap: 0 6px;
      }
      label {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      input[type="text"] {
        inline-size: 100%;
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
      .slide {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: center;
        gap: 10px;
        margin-block-start: 2px;
      }
      .about {
        min-inline-size: 5em;
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) label = "";
  @property({ attribute: false }) tip = "";
  @property({ attribute: false }) value: number | null = null;
  @property({ attribute: false }) min = 0;
  @property({ attribute: false }) sliderMax = 0;
  @property({ attribute: false }) nullable = false;
  @property({ attribute: false }) unit: WholeUnit = "count";
  /** What applies where the value is null, so that the slider stands there; null = nothing that a number says. */
  @property({ attribute: false }) fallback: number | null = null;
  /** Shown where the value is null. */
  @property({ attribute: false }) placeholder: string = words.none;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) disabled = false;
  /** What a typed text means; undefined = nothing that could be used. */
  @property({ attribute: false }) read: (written: string) => number | null | undefined = () => undefined;
  /** What is being typed; null = nothing. */
  @state() private draft: string | null = null;
  @state() private wrong = false;

  private stops: readonly number[] = [];

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("min") || changed.has("sliderMax")) {
      this.stops = this.sliderMax > 0 ? niceValues(this.min, this.sliderMax) : [];
    }
    if (changed.has("value") && this.draft === null) {
      this.wrong = false;
    }
  }

  protected override render(): TemplateResult {
    const format = formatFor(this.locale);
    const { value } = this;
    const unit = this.unit === "seconds" ? whatIfStrings.assumptions.seconds : words.units[this.unit];
    const shown = this.draft ?? (value === null ? "" : format.count(value));
    return html`<div class="row">
        <label for="text" title=${this.tip === "" ? nothing : this.tip}>${this.label}</label>
        <input
          id="text"
          type="text"
          inputmode="numeric"
          autocomplete="off"
          spellcheck="false"
          placeholder=${this.nullable ? this.placeholder : nothing}
          aria-invalid=${this.wrong ? "true" : nothing}
          aria-describedby=${this.wrong ? "wrong" : nothing}
          ?disabled=${this.disabled}
          .value=${shown}
          @focus=${this.onFocus}
          @input=${this.onInput}
          @blur=${this.onBlur}
          @keydown=${this.onKey}
        />
        <span class="quiet">${unit}</span>
      </div>
      ${this.wrong ? html`<p id="wrong" class="invalid" role="alert">${words.invalidWhole(format.count(this.min), this.nullable)}</p>` : nothing}
      ${this.stops.length === 0 ? nothing : this.renderSlider(format.count(value), unit)}`;
  }

  private renderSlider(count: string, unit: string): TemplateResult {
    const { value, stops } = this;
    const last = stops.length - 1;
    const shown = value ?? this.fallback;
    const at = shown === null ? last : nearestStop(stops, shown);
    const done = last === 0 || shown === null ? 0 : (at / last) * 100;
    const format = formatFor(this.locale);
    return html`<div class="slide">
      <input
        type="range"
        min="0"
        max=${last}
        step="1"
        aria-label=${words.slider(this.label)}
        aria-valuetext=${value === null ? this.placeholder : `${count} ${unit}`.trim()}
        ?disabled=${this.disabled}
        .value=${String(at)}
        class=${value === null ? "unset" : ""}
        .style=${`--done: ${done}%`}
        @input=${this.onSlide}
        @keydown=${this.onSliderKey}
      />${
        this.unit === "chars"
          ? html`<span class="quiet about"
              >${value === null ? nothing : words.aboutTokens(format.short(value / CHARS_PER_TOKEN))}</span
            >`
          : nothing
      }
    </div>`;
  }

  private change(value: number | null): void {
    this.draft = null;
    this.wrong = false;
    if (value !== this.value) {
      this.dispatchEvent(new CustomEvent("field-change", { detail: value }));
    }
  }

  /** Digits are easier to edit without the separators between them. */
  private readonly onFocus = (event: FocusEvent): void => {
    const field = event.target as HTMLInputElement;
    this.draft = this.value === null ? "" : String(this.value);
    // At once, not with the next drawing: what is typed meanwhile must not meet the old text.
    field.value = this.draft;
    field.select();
  };

  private readonly onInput = (event: Event): void => {
    this.draft = (event.target as HTMLInputElement).value;
    this.wrong = this.read(this.draft) === undefined;
  };

  private readonly onBlur = (): void => {
    this.commit();
    if (!this.wrong) {
      this.draft = null;
    }
  };

  private commit(): void {
    if (this.draft === null) {
      return;
    }
    const value = this.read(this.draft);
    if (value === undefined) {
      this.wrong = true;
    } else {
      this.change(value);
    }
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter") {
      this.commit();
    } else if (event.key === "Escape" && this.draft !== null) {
      event.stopPropagation();
      this.draft = this.value === null ? "" : String(this.value);
      this.wrong = false;
    } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && this.stops.length > 0) {
      event.preventDefault();
      const from = this.draft === null ? this.value : (this.read(this.draft) ?? this.value);
      const to = stepFrom(this.stops, from ?? this.fallback ?? this.min, event.key === "ArrowUp" ? 1 : -1);
      this.change(to);
      this.draft = String(to);
    }
  };

  private readonly onSlide = (event: Event): void => {
    const value = this.stops[Number((event.target as HTMLInputElement).value)];
    if (value !== undefined) {
      this.change(value);
    }
  };

  /** A value between two stops steps to the neighbour, and pages are larger than the browser's. */
  private readonly onSliderKey = (event: KeyboardEvent): void => {
    const by: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -PAGE,
      PageUp: PAGE,
    };
    const step = by[event.key];
    if (step !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.change(stepFrom(this.stops, this.value ?? this.fallback ?? this.sliderMax, step));
    }
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-whole-field": WholeField;
  }
}
