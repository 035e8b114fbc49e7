import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { AlignedData } from "uplot";
import { CANDIDATE_THRESHOLDS } from "../../../extension/src/core/compaction/policy";
import type { WhatIfCurve, WhatIfFacts } from "../../../extension/src/protocol/whatIf";
import { ElementWidth } from "../components/elementWidth";
import { type Format, formatFor, roundShort } from "../format";
import { baseStyles } from "../styles/base";
import { aboutPercent } from "./aboutPercent";
import {
  CHARS_PER_TOKEN,
  type CurveChart,
  curveChartOf,
  namedThresholds,
  savedAt,
  savesBelow,
  thresholdAtX,
  tokensOf,
  withoutOverlap,
  xOfThreshold,
} from "./chartGeometry";
import { nearestStop, niceValues, stepFrom } from "./niceValues";
import { Plot, type PlotOptions, type PlotTheme, steppedBefore } from "./plot";
import { plotStyles } from "./plotStyles";
import type { WhatIfActions } from "./whatIfLoader";
import { whatIfStrings } from "./whatIfStrings";

const words = whatIfStrings.curve;

const HEIGHT = 150;
const AXIS = 52;
const HEAD = 20;
const FOOT = 34;
/** Room to the right, so that the last label is not cut. */
const EDGE = 16;
const PAGE = 10;
/** Widest that a letter of a label is on average, pixels. */
const LETTER = 6.4;
/** How close to a candidate, the config's value or an end of the interval a drag snaps, pixels. */
const SNAP = 4;

/** What every threshold would save, as steps over a logarithmic axis, with a cursor that sets the first persist card's threshold. */
@customElement("cbi-threshold-curve")
export class ThresholdCurveElement extends LitElement {
  static override readonly styles = [...baseStyles, plotStyles];

  @property({ attribute: false }) curve: WhatIfCurve | null = null;
  @property({ attribute: false }) facts: WhatIfFacts | null = null;
  /** Estimated input without policies, what shares refer to; null = not known yet. Tokens. */
  @property({ attribute: false }) inputTokens: number | null = null;
  /** The first persist card's threshold; null = none, or no such card. */
  @property({ attribute: false }) threshold: number | null = null;
  @property({ attribute: false }) asTable = false;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: WhatIfActions | null = null;
  /** While the cursor has the focus, its values are spoken; else a run would speak with several voices. */
  @state() private focused = false;
  @state() private dragging = false;
  @query(".canvas") private readonly canvas!: HTMLElement | null;

  private plot: Plot | null = null;
  private chart: CurveChart | null = null;
  private stops: readonly number[] = [];
  private drawn: readonly [CurveChart, number] | null = null;
  private readonly width = new ElementWidth(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.plot?.dispose();
    this.plot = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("curve")) {
      this.chart = this.curve === null ? null : curveChartOf(this.curve);
      this.stops = this.chart === null ? [] : niceValues(this.chart.from, Math.round(this.chart.until));
    }
  }

  protected override updated(): void {
    const { canvas, chart } = this;
    const width = this.width.pixels;
    if (canvas === null || chart === null || this.asTable) {
      this.plot?.dispose();
      this.plot = null;
      return;
    }
    if (this.plot !== null && this.drawn?.[0] === chart && this.drawn[1] === width) {
      return; // only the cursor moved
    }
    this.drawn = [chart, width];
    this.plot ??= new Plot(canvas, (theme) => this.options(theme));
    this.plot.draw(chart.columns as unknown as AlignedData, { width: this.plotWidth(), height: HEIGHT });
  }

  private options(theme: PlotTheme): PlotOptions {
    return {
      scales: {
        x: { time: false, distr: 3, log: 10, range: () => [this.chart?.from ?? 1, this.chart?.until ?? 10] },
        y: { range: () => [0, this.chart?.top ?? 1] },
      },
      series: [
        {},
        {
          paths: steppedBefore(),
          points: { show: false },
          width: 1.5,
          stroke: theme.tone,
          fill: `color-mix(in srgb, ${theme.tone} 22%, transparent)`,
        },
      ],
    };
  }

  private plotWidth(): number {
    return Math.max(40, this.width.pixels - AXIS - EDGE);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { curve, facts, chart } = this;
    if (curve === null || facts === null || chart === null) {
      return nothing;
    }
    const format = formatFor(this.locale);
    if (curve.steps.length === 0 && curve.always.results === 0) {
      return html`<p class="quiet">${words.empty}</p>`;
    }
    if (this.asTable) {
      return this.renderTable(curve, facts, format);
    }
    const { threshold } = this;
    const parts = this.readout(curve, format);
    return html`<p class="readout" aria-live=${this.focused ? "polite" : "off"}>${parts.map((part) => html`<span>${part}</span>`)}</p>
      ${this.renderHint(curve, format)}
      <div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${words.cursor}
        aria-valuemin="0"
        aria-valuemax=${this.stops.length - 1}
        aria-valuenow=${threshold === null ? this.stops.length - 1 : nearestStop(this.stops, threshold)}
        aria-valuetext=${threshold === null ? whatIfStrings.card.none : words.value(format.count(threshold))}
        @focus=${() => {
          this.focused = true;
        }}
        @blur=${() => {
          this.focused = false;
        }}
        @keydown=${this.onKey}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointercancel=${this.onUp}
      >
        <div
          class="canvas"
          .style=${`left: ${AXIS}px; top: ${HEAD}px; width: ${this.plotWidth()}px; height: ${HEIGHT}px`}
          aria-hidden="true"
        ></div>
        <svg width=${this.width.pixels} height=${HEAD + HEIGHT + FOOT} aria-hidden="true">
          ${this.width.pixels === 0 ? nothing : this.renderOver(curve, facts, chart, format)}
        </svg>
      </div>
      ${curve.stepsOmitted > 0 ? html`<p class="quiet">${words.omitted(format.count(curve.stepsOmitted))}</p>` : nothing}`;
  }

  private readout(curve: WhatIfCurve, format: Format): readonly string[] {
    const { threshold } = this;
    if (threshold === null) {
      return [whatIfStrings.card.scaled];
    }
    const { saved, results } = savedAt(curve, threshold);
    return [
      words.value(format.count(threshold)),
      words.saved(format.short(tokensOf(saved)), aboutPercent(saved, this.whole(curve), format)),
      words.results(format.count(results)),
    ];
  }

  /** Where the threshold saves nothing: from where on one would. */
  private renderHint(curve: WhatIfCurve, format: Format): TemplateResult | typeof nothing {
    const { threshold } = this;
    if (threshold === null || savedAt(curve, threshold).saved > 0) {
      return nothing;
    }
    const below = savesBelow(curve, threshold);
    return html`<p class="quiet">${below === null ? words.savesNowhere : words.savesBelow(format.count(below))}</p>`;
  }

  private renderOver(curve: WhatIfCurve, facts: WhatIfFacts, chart: CurveChart, format: Format): unknown {
    const width = this.plotWidth();
    const x = (chars: number): number => xOfThreshold(chart, chars, width);
    const y = (tokens: number): number => HEIGHT - (Math.max(0, tokens) / chart.top) * HEIGHT;
    const { threshold } = this;
    const config = facts.configThreshold?.chars ?? null;
    return svg`<g transform=${`translate(${AXIS} ${HEAD})`}>
      ${chart.marks.map((mark) => {
        const height = Math.round(y(mark)) + 0.5;
        return svg`<line class="grid" x1="0" x2=${width} y1=${height} y2=${height}></line>
          <text class="axis end" x="-6" y=${height + 4}>${roundShort(mark, format)}</text>`;
      })}
      ${this.renderTicks(chart, width, format)}
      ${this.renderInForce(facts, chart, width)}
      ${
        config === null
          ? nothing
          : svg`<line class="named" x1=${x(config)} x2=${x(config)} y1="-4" y2=${HEIGHT}></line>
            <text class=${`axis strong halo${x(config) > width / 2 ? " end" : ""}`} x=${x(config) > width / 2 ? x(config) - 5 : x(config) + 5} y="-6">${words.config(format.count(config))}</text>`
      }
      ${
        threshold === null
          ? nothing
          : svg`<line class="cursor" x1=${x(threshold)} x2=${x(threshold)} y1="0" y2=${HEIGHT}></line>
            <circle class="handle" cx=${x(threshold)} cy=${y(tokensOf(savedAt(curve, threshold).saved))} r="6"></circle>`
      }
    </g>`;
  }

  /** The thresholds that people ask about, and the ends where there is room. */
  private renderTicks(chart: CurveChart, width: number, format: Format): unknown {
    const wanted = [...CANDIDATE_THRESHOLDS, 20_000, 1_000, 2_000, 4_000, 200_000, 500_000, 1_000_000]
      .filter((chars) => chars >= chart.from && chars <= chart.until)
      .map((chars) => {
        const text = roundShort(chars, format);
        return { chars, text, x: xOfThreshold(chart, chars, width), width: text.length * LETTER };
      });
    const candidates = new Set<number>(CANDIDATE_THRESHOLDS);
    return withoutOverlap(wanted).map(
      ({ chars, text, x }) =>
        svg`<line class=${candidates.has(chars) ? "compaction" : "grid"} x1=${x} x2=${x} y1=${HEIGHT} y2=${HEIGHT + 4}></line>
        <text class=${`axis middle${candidates.has(chars) ? " strong" : ""}`} x=${x} y=${HEIGHT + 15}>${text}</text>`,
    );
  }

  /** The interval in which the threshold in force must have been, as a bar below the axis. */
  private renderInForce(facts: WhatIfFacts, chart: CurveChart, width: number): unknown {
    const { inferred } = facts;
    if (inferred === null || (inferred.atLeast === null && inferred.below === null)) {
      return nothing;
    }
    const from = xOfThreshold(chart, inferred.atLeast ?? chart.from, width);
    const until = Math.max(from + 2, xOfThreshold(chart, inferred.below ?? chart.until, width));
    const room = words.inForce.length * LETTER;
    const left = until + 6 + room > width;
    return svg`<rect class="range" x=${from} y=${HEIGHT + 21} width=${until - from} height="4"></rect>
      <text class=${`axis${left ? " end" : ""}`} x=${left ? Math.max(room, from - 6) : until + 6} y=${HEIGHT + 27}>${left && from - 6 < room ? "" : words.inForce}</text>`;
  }

  private renderTable(curve: WhatIfCurve, facts: WhatIfFacts, format: Format): TemplateResult {
    const { heads } = words;
    const rows = namedThresholds(CANDIDATE_THRESHOLDS, facts, this.threshold);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.title}>
      <table>
        <thead>
          <tr>
            ${[heads.threshold, heads.saved, heads.share, heads.results].map(
              (head) => html`<th scope="col" class="number">${head}</th>`,
            )}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => {
            const { saved, results } = savedAt(curve, row.chars);
            return html`<tr>
              <th scope="row" class="number">
                <button class="link" type="button" @click=${() => this.set(row.chars)}>${format.count(row.chars)}</button>
              </th>
              <td class="number">${format.count(Math.round(tokensOf(saved)))}</td>
              <td class="number">${format.percent(saved, this.whole(curve))}</td>
              <td class="number">${format.count(results)}</td>
              <td>${row.names.map((name) => words.names[name]).join(", ")}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  /** Characters of all input, of which a share is saved. */
  private whole(curve: WhatIfCurve): number {
    return this.inputTokens === null ? curve.totalChars : this.inputTokens * CHARS_PER_TOKEN;
  }

  private set(chars: number): void {
    if (chars !== this.threshold) {
      this.actions?.change({ t: "threshold", chars });
    }
  }

  /** A round number near the pointer; a named threshold when it is close. */
  private thresholdAt(event: PointerEvent): number | null {
    const { chart, facts } = this;
    if (chart === null || facts === null) {
      return null;
    }
    const width = this.plotWidth();
    const x = event.clientX - (event.currentTarget as HTMLElement).getBoundingClientRect().left - AXIS;
    const near = namedThresholds(CANDIDATE_THRESHOLDS, facts, null).find(
      ({ chars }) => Math.abs(xOfThreshold(chart, chars, width) - x) <= SNAP,
    );
    const chars = thresholdAtX(chart, x, width);
    return near?.chars ?? this.stops[nearestStop(this.stops, chars)] ?? chars;
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button === 0 && event.currentTarget instanceof HTMLElement) {
      event.currentTarget.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.drag(event);
    }
  };

  private readonly onMove = (event: PointerEvent): void => {
    if (this.dragging) {
      this.drag(event);
    }
  };

  private readonly onUp = (): void => {
    this.dragging = false;
  };

  private drag(event: PointerEvent): void {
    const chars = this.thresholdAt(event);
    if (chars !== null) {
      this.set(chars);
    }
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -PAGE,
      PageUp: PAGE,
      Home: -this.stops.length,
      End: this.stops.length,
    };
    const by = steps[event.key];
    if (by !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.set(stepFrom(this.stops, this.threshold ?? this.stops.at(-1) ?? 0, by));
    }
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-threshold-curve": ThresholdCurveElement;
  }
}
