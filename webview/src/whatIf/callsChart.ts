import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { AlignedData } from "uplot";
import type { WhatIfSeries } from "../../../extension/src/protocol/whatIf";
import { ElementWidth } from "../components/elementWidth";
import { type Format, formatFor, roundShort } from "../format";
import { baseStyles } from "../styles/base";
import { placeAt } from "../timeline";
import { aboutPercent } from "./aboutPercent";
import { type CallsChart, callsChartOf, spread } from "./chartGeometry";
import { hatch, Plot, type PlotOptions, type PlotTheme, steppedAfter } from "./plot";
import { plotStyles } from "./plotStyles";
import type { WhatIfActions } from "./whatIfLoader";
import { cursorPlace } from "./whatIfState";
import { whatIfStrings } from "./whatIfStrings";

const words = whatIfStrings.chart;

const HEIGHT = 190;
/** Room for the labels of the axis, for what stands above, below, and to the right of the drawing. */
const AXIS = 52;
const HEAD = 18;
const FOOT = 26;
const LABELS = 66;
/** Narrower drawings have no labels to the right; the line above says which tone is which. */
const LABELS_FROM = 520;
const PAGE = 10;
const LABEL_HEIGHT = 14;

/** Tokens of each call: without the policies as a line, with them as an area whose cached part is hatched. */
@customElement("cbi-calls-chart")
export class CallsChartElement extends LitElement {
  static override readonly styles = [...baseStyles, plotStyles];

  @property({ attribute: false }) series: WhatIfSeries | null = null;
  @property({ attribute: false }) windowTokens: number | null = null;
  /** Number of the request under the cursor; null = the last one. */
  @property({ attribute: false }) cursor: number | null = null;
  @property({ attribute: false }) asTable = false;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: WhatIfActions | null = null;
  /** While the cursor has the focus, its values are spoken; else a run would speak with several voices. */
  @state() private focused = false;
  /** Point under the pointer; null = it is elsewhere. */
  @state() private hovered: number | null = null;
  @query(".canvas") private readonly canvas!: HTMLElement | null;

  private plot: Plot | null = null;
  private chart: CallsChart | null = null;
  private chartWidth = 0;
  private drawn: CallsChart | null = null;
  private readonly width = new ElementWidth(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.plot?.dispose();
    this.plot = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("series")) {
      this.hovered = null;
    }
    if (changed.has("series") || changed.has("windowTokens") || this.width.pixels !== this.chartWidth) {
      this.chart = this.series === null ? null : callsChartOf(this.series, this.windowTokens, this.plotWidth());
      this.chartWidth = this.width.pixels;
    }
  }

  protected override updated(): void {
    const { canvas, chart } = this;
    if (canvas === null || chart === null || this.asTable) {
      this.plot?.dispose();
      this.plot = null;
      return;
    }
    if (this.plot !== null && this.drawn === chart) {
      return; // only the cursor moved
    }
    this.drawn = chart;
    this.plot ??= new Plot(canvas, (theme) => this.options(theme));
    const [x, total, after, cached, measured] = chart.columns;
    this.plot.draw(
      [x, after, cached, total, ...(chart.hasMeasured ? [measured] : [x?.map(() => null)])] as unknown as AlignedData,
      { width: this.plotWidth(), height: HEIGHT },
    );
  }

  /** Scales are asked at each drawing, so new data needs no new options. */
  private options(theme: PlotTheme): PlotOptions {
    const paths = steppedAfter();
    const points = { show: false };
    return {
      scales: {
        x: { time: false, range: () => [0, Math.max(1, this.series?.call.length ?? 1)] },
        y: { range: () => [0, this.chart?.top ?? 1] },
      },
      series: [
        {},
        { paths, points, width: 1, stroke: theme.tone, fill: theme.tone },
        { paths, points, width: 1, stroke: theme.tone, fill: (plot) => hatch(plot.ctx, theme.tone, theme.ground) },
        { paths, points, width: 1.5, stroke: theme.text },
        { paths, points, width: 2, stroke: theme.dots, dash: [2, 2] },
      ],
    };
  }

  private plotWidth(): number {
    return Math.max(40, this.width.pixels - AXIS - (this.width.pixels >= LABELS_FROM ? LABELS : 6));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { series, chart } = this;
    if (series === null || chart === null || series.call.length === 0) {
      return nothing;
    }
    const format = formatFor(this.locale);
    if (this.asTable) {
      return renderTable(series, chart, format);
    }
    const at = this.place();
    return html`${this.renderReadout(series, at, format)}
      <div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${words.cursor}
        aria-valuemin="0"
        aria-valuemax=${series.call.length - 1}
        aria-valuenow=${at}
        aria-valuetext=${words.call(format.count(series.call[at] ?? null))}
        @focus=${() => {
          this.focused = true;
        }}
        @blur=${() => {
          this.focused = false;
        }}
        @keydown=${this.onKey}
        @pointermove=${this.onPointer}
        @pointerdown=${this.onPress}
        @pointerleave=${() => {
          this.hovered = null;
        }}
      >
        <div
          class="canvas"
          .style=${`left: ${AXIS}px; top: ${HEAD}px; width: ${this.plotWidth()}px; height: ${HEIGHT}px`}
          aria-hidden="true"
        ></div>
        <svg width=${this.width.pixels} height=${HEAD + HEIGHT + FOOT} aria-hidden="true">
          ${this.width.pixels === 0 ? nothing : this.renderOver(series, chart, at, format)}
        </svg>
      </div>`;
  }

  private renderReadout(series: WhatIfSeries, at: number, format: Format): TemplateResult {
    const [call, ...parts] = readout(series, at, format);
    return html`<p class="readout" aria-live=${this.focused ? "polite" : "off"}>
      <span>${call?.text}</span>${parts.map(
        ({ tone, text }) =>
          html`<span class="with-icon"><span class=${`swatch ${tone}`} aria-hidden="true"></span>${text}</span>`,
      )}
    </p>`;
  }

  private renderOver(series: WhatIfSeries, chart: CallsChart, at: number, format: Format): unknown {
    const width = this.plotWidth();
    const step = width / series.call.length;
    const y = (tokens: number): number => HEIGHT - (tokens / chart.top) * HEIGHT;
    return svg`<g transform=${`translate(${AXIS} ${HEAD})`}>
      ${chart.marks.map((mark) => {
        const height = Math.round(y(mark)) + 0.5;
        return svg`<line class="grid" x1="0" x2=${width} y1=${height} y2=${height}></line>
          <text class="axis end" x="-6" y=${height + 4}>${roundShort(mark, format)}</text>`;
      })}
      ${this.renderCompactions(chart, step, width)}
      ${this.renderWindow(chart, width, y, format)}
      <line class="cursor" x1=${(at + 0.5) * step} x2=${(at + 0.5) * step} y1="0" y2=${HEIGHT}></line>
      <path class="break" d=${breakMarks(chart.breaks, step)}></path>
      ${this.width.pixels >= LABELS_FROM ? renderLabels(series, chart, width, y) : nothing}
      <text class="axis" x="0" y=${HEIGHT + 22}>${words.call(format.count(series.call[0] ?? null))}</text>
      <text class="axis end" x=${width} y=${HEIGHT + 22}>${
        series.call.length > 1 ? format.count(series.call.at(-1) ?? null) : ""
      }</text>
    </g>`;
  }

  private renderCompactions(chart: CallsChart, step: number, width: number): unknown {
    return chart.compactions.map((place, at) => {
      const x = place * step;
      const atEnd = x + 80 > width;
      return svg`${chart.crowded ? nothing : svg`<line class="compaction" x1=${x} x2=${x} y1="-4" y2=${HEIGHT}></line>`}
        <path class="flag" d=${`M${x - 4} -6h8l-4 5z`}></path>
        ${at === 0 ? svg`<text class=${`axis${atEnd ? " end" : ""}`} x=${atEnd ? x - 7 : x + 7} y="-8">${words.compaction}</text>` : nothing}`;
    });
  }

  private renderWindow(chart: CallsChart, width: number, y: (tokens: number) => number, format: Format): unknown {
    const { windowTokens } = this;
    if (windowTokens === null || chart.window === "none") {
      return nothing;
    }
    const short = roundShort(windowTokens, format);
    if (chart.window === "above") {
      return svg`<text class="axis end" x=${width} y="-7">${words.windowAbove(short)}</text>`;
    }
    const at = Math.round(y(windowTokens)) + 0.5;
    return svg`<line class="limit" x1="0" x2=${width} y1=${at} y2=${at}></line>
      <text class="axis halo" x="6" y=${at - 4}>${words.window(short)}</text>`;
  }

  private place(): number {
    const calls = this.series?.call ?? [];
    return Math.min(this.hovered ?? cursorPlace(calls, this.cursor), Math.max(0, calls.length - 1));
  }

  private moveTo(place: number): void {
    const call = this.series?.call[place];
    if (call !== undefined) {
      this.actions?.change({ t: "cursor", call });
    }
  }

  private placeOf(event: PointerEvent): number | null {
    const count = this.series?.call.length ?? 0;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return count === 0 ? null : placeAt(event.clientX - box.left - AXIS, count, this.plotWidth());
  }

  private readonly onPointer = (event: PointerEvent): void => {
    this.hovered = this.placeOf(event);
  };

  /** A press keeps the cursor where it is, for comparing. */
  private readonly onPress = (event: PointerEvent): void => {
    const place = this.placeOf(event);
    if (event.button === 0 && place !== null) {
      this.moveTo(place);
    }
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const calls = this.series?.call ?? [];
    const last = calls.length - 1;
    const at = cursorPlace(calls, this.cursor);
    const target: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - PAGE,
      PageUp: at + PAGE,
      Home: 0,
      End: last,
    };
    const to = target[event.key];
    if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.hovered = null;
      this.moveTo(Math.min(last, Math.max(0, to)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const call = calls[at];
      if (call !== undefined) {
        this.actions?.compare(call);
      }
    }
  };
}

interface Reading {
  readonly tone: "" | "before" | "uncached" | "cached" | "measured" | "break" | "compaction";
  readonly text: string;
}

/** The values of one point in words, each with the tone that draws it. */
export function readout(series: WhatIfSeries, at: number, format: Format): readonly Reading[] {
  const after = series.after[at] ?? 0;
  const cached = series.afterCached[at] ?? 0;
  const measured = series.measured[at] ?? null;
  return [
    { tone: "", text: words.call(format.count(series.call[at] ?? null)) },
    { tone: "before", text: words.beforeValue(format.count(series.before[at] ?? null)) },
    { tone: "uncached", text: words.afterValue(format.count(after)) },
    { tone: "cached", text: words.cachedValue(format.count(cached), aboutPercent(cached, after, format)) },
    ...(measured === null ? [] : [{ tone: "measured", text: words.measuredValue(format.count(measured)) } as const]),
    ...(series.breaks[at] === 1 ? [{ tone: "break", text: words.break } as const] : []),
    ...(series.compactions[at] === 1 ? [{ tone: "compaction", text: words.compaction } as const] : []),
  ];
}

/** Triangles below the axis, one path for all of them. */
function breakMarks(places: readonly number[], step: number): string {
  return places.map((place) => `M${((place + 0.5) * step).toFixed(1)} ${HEIGHT + 2}l4.5 8h-9z`).join("");
}

function renderLabels(
  series: WhatIfSeries,
  chart: CallsChart,
  width: number,
  y: (tokens: number) => number,
): readonly TemplateResult[] {
  const before = series.before.at(-1) ?? 0;
  const after = series.after.at(-1) ?? 0;
  const cached = series.afterCached.at(-1) ?? 0;
  const measured = chart.hasMeasured ? (series.measured.findLast((value) => value !== null) ?? null) : null;
  const wanted = [
    { text: words.before, y: y(before) },
    { text: words.after, y: y(after) },
    ...(cached > 0 ? [{ text: words.cached, y: (y(cached) + HEIGHT) / 2 }] : []),
    ...(measured === null ? [] : [{ text: words.measured, y: y(measured) }]),
  ];
  const places = spread(
    wanted.map((label) => label.y),
    LABEL_HEIGHT,
    HEIGHT,
  );
  return wanted.map(
    ({ text }, at) => svg`<text class="axis strong" x=${width + 7} y=${(places[at] ?? 0) + 4}>${text}</text>`,
  );
}

function renderTable(series: WhatIfSeries, chart: CallsChart, format: Format): TemplateResult {
  const { heads } = words;
  const columns = [
    ["before", heads.before],
    ["beforeCached", heads.beforeCached],
    ["after", heads.after],
    ["afterCached", heads.afterCached],
    ...(chart.hasMeasured ? ([["measured", heads.measured]] as const) : []),
  ] as const;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.title}>
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">${heads.call}</th>
          ${columns.map(([, head]) => html`<th scope="col" class="number">${head}</th>`)}
          <th scope="col">${heads.events}</th>
        </tr>
      </thead>
      <tbody>
        ${series.call.map((call, at) => {
          const events = [
            ...(series.compactions[at] === 1 ? [words.compaction] : []),
            ...(series.breaks[at] === 1 ? [words.break] : []),
          ];
          return html`<tr>
            <th scope="row" class="number">${format.count(call)}</th>
            ${columns.map(([key]) => html`<td class="number">${format.count(series[key][at] ?? null)}</td>`)}
            <td>${events.join(", ")}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-calls-chart": CallsChartElement;
  }
}
