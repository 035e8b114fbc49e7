import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { CompactionTick, Overview, TimelinePoint } from "../../../extension/src/protocol/webview";
import { type Format, formatFor, roundShort } from "../format";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { chartStyles } from "../styles/chart";
import { aroundTick, type Chart, chartOf, contextOf, placeAt } from "../timeline";
import { ElementWidth } from "./elementWidth";

const words = strings.overview;

const HEIGHT = 150;
/** Room for the axis labels at the left. */
const AXIS = 52;
/** Room above for the labels of compactions. */
const HEAD = 18;
/** Widest that a letter of a label is on average, pixels. */
const LETTER = 6.4;
/** Calls that PageUp and PageDown move by. */
const PAGE = 10;

/** Context of each call as an area from zero, the cached part in a tone of its own, compactions as ticks. */
@customElement("cbi-context-chart")
export class ContextChart extends LitElement {
  static override readonly styles = [...baseStyles, chartStyles];

  @property({ attribute: false }) overview: Overview | null = null;
  /** Context window of the thread, tokens; null = not known. */
  @property({ attribute: false }) windowTokens: number | null = null;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;
  /** Call under the cursor; null = the last one, also as the transcript grows. */
  @state() private cursor: number | null = null;

  private readonly width = new ElementWidth(this);

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("overview");
    if (before && before.thread !== this.overview?.thread) {
      this.cursor = null;
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { overview } = this;
    if (overview === null || this.width.pixels === 0) {
      return nothing;
    }
    const { points } = overview;
    const format = formatFor(this.locale);
    const width = Math.max(60, this.width.pixels - AXIS - 1);
    const chart = chartOf(overview, { width, height: HEIGHT }, this.windowTokens);
    const at = this.place();
    const point = points[at];
    const step = width / points.length;
    return html`${this.renderReadout(point, chart, format)}
      <div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${words.cursor}
        aria-valuemin="0"
        aria-valuemax=${points.length - 1}
        aria-valuenow=${at}
        aria-valuetext=${point === undefined ? nothing : readout(point, chart.unit, format).join(", ")}
        @keydown=${this.onKey}
        @pointermove=${this.onPointer}
        @pointerleave=${() => this.move(null)}
        @dblclick=${() => this.open()}
      >
        <svg width=${this.width.pixels} height=${HEAD + HEIGHT + 18} aria-hidden="true">
          <defs>
            <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line class="hatch" x1="0" y1="0" x2="0" y2="5"></line>
            </pattern>
          </defs>
          <g transform=${`translate(${AXIS} ${HEAD})`}>
            ${chart.marks.map((mark) => {
              const y = Math.round(HEIGHT - (mark / chart.top) * HEIGHT) + 0.5;
              return svg`<line class="mark" x1="0" x2=${width} y1=${y} y2=${y}></line>
                <text class="axis end" x="-6" y=${y + 4}>${roundShort(mark, format)}</text>`;
            })}
            <path class="total" d=${chart.total}></path>
            ${
              chart.cached === ""
                ? nothing
                : svg`<path class="ground" d=${chart.cached}></path><path class="cached" d=${chart.cached}></path>`
            }
            ${this.renderWindow(chart, format, width)}${this.renderTicks(chart, format, width)}
            <line class="cursor" x1=${(at + 0.5) * step} x2=${(at + 0.5) * step} y1="0" y2=${HEIGHT}></line>
            <text class="axis" x="0" y=${HEIGHT + 14}>${words.call(format.count(points[0]?.call ?? null))}</text>
            <text class="axis end" x=${width} y=${HEIGHT + 14}>${
              points.length > 1 ? format.count(points.at(-1)?.call ?? null) : ""
            }</text>
          </g>
        </svg>
      </div>`;
  }

  /** What the cursor stands on; its swatches say which tone is which. */
  private renderReadout(point: TimelinePoint | undefined, chart: Chart, format: Format): TemplateResult {
    if (point === undefined) {
      return html``;
    }
    const [call, ...rest] = readout(point, chart.unit, format);
    const tones = chart.unit === "chars" ? ["total"] : ["", "cached", "total", ""];
    return html`<p class="readout">
      <span>${call}</span>${rest.map((text, at) => {
        const tone = tones[at] ?? "";
        return html`<span class="with-icon"
          >${tone === "" || (tone === "cached" && chart.cached === "") ? nothing : html`<span class=${`swatch ${tone}`} aria-hidden="true"></span>`}${text}</span
        >`;
      })}
    </p>`;
  }

  private renderWindow(chart: Chart, format: Format, width: number): unknown {
    const { windowTokens } = this;
    const above = this.windowAbove(chart, format);
    if (above !== null) {
      return svg`<text class="axis end" x=${width} y="-7">${above}</text>`;
    }
    if (windowTokens === null || chart.window === null) {
      return nothing;
    }
    const at = Math.round(chart.window) + 0.5;
    return svg`<line class="limit" x1="0" x2=${width} y1=${at} y2=${at}></line>
      <text class="axis halo" x="6" y=${at + 13}>${words.window(roundShort(windowTokens, format))}</text>`;
  }

  /** What is said of a window that lies above the drawing. */
  private windowAbove(chart: Chart, format: Format): string | null {
    return this.windowTokens === null || chart.unit === "chars" || chart.window !== null
      ? null
      : words.windowAbove(roundShort(this.windowTokens, format));
  }

  /** Labels go to the right of their tick, near the end to its left; one that would touch another is left to the list below. */
  private renderTicks(chart: Chart, format: Format, width: number): unknown {
    const above = this.windowAbove(chart, format);
    const taken: (readonly [start: number, end: number])[] =
      above === null ? [] : [[width - above.length * LETTER, width]];
    return chart.ticks.map(({ x, tick }) => {
      const text = tickLabel(tick, format);
      const room = text.length * LETTER;
      const atEnd = x + 7 + room > width;
      const start = atEnd ? x - 7 - room : x + 7;
      const fits = start >= -AXIS && taken.every(([from, to]) => start + room < from || start > to);
      if (fits) {
        taken.push([Math.min(start, x), Math.max(start + room, x)]);
      }
      return svg`<line class="tick" x1=${x} x2=${x} y1="-4" y2=${HEIGHT}></line>
        <path class="flag" d=${`M${x - 4} -5h8l-4 5z`}></path>
        ${fits ? svg`<text class=${`axis${atEnd ? " end" : ""}`} x=${atEnd ? x - 7 : x + 7} y="-7">${text}</text>` : nothing}`;
    });
  }

  private place(): number {
    const last = (this.overview?.points.length ?? 1) - 1;
    return Math.max(0, Math.min(this.cursor ?? last, last));
  }

  private move(to: number | null): void {
    this.cursor = to;
  }

  private open(): void {
    const point = this.overview?.points[this.place()];
    if (point !== undefined) {
      this.actions?.reveal(point.line);
    }
  }

  private readonly onPointer = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const count = this.overview?.points.length ?? 0;
    if (count > 0) {
      this.move(placeAt(event.clientX - box.left - AXIS, count, Math.max(60, this.width.pixels - AXIS - 1)));
    }
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const last = (this.overview?.points.length ?? 1) - 1;
    const at = this.place();
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
      this.move(Math.min(last, Math.max(0, to)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.open();
    }
  };
}

/** `summary 191.2k → 35.9k`; only the word where tokens are not known. */
function tickLabel(tick: CompactionTick, format: Format): string {
  const { word } = words.compactions[tick.what];
  const { before, after } = aroundTick(tick);
  return before === null
    ? word
    : `${word} ${words.tokens(format.short(before), after === null ? "?" : format.short(after))}`;
}

/** The values of one call in words: call, context, then its parts. */
export function readout(point: TimelinePoint, unit: Chart["unit"], format: Format): readonly string[] {
  const call = `${words.call(format.count(point.call))}${point.turn === null ? "" : ` · ${words.turn(format.count(point.turn))}`}`;
  if (unit === "chars") {
    return [call, words.chars(format.count(point.chars))];
  }
  const context = contextOf(point);
  if (context === null) {
    return [call, words.contextUnknown];
  }
  const cached = point.cacheRead;
  return [
    call,
    words.context(format.count(context)),
    words.cached(format.count(cached), cached === null ? format.count(null) : format.percent(cached, context)),
    words.uncached(format.count(context - (cached ?? 0))),
    words.output(format.count(point.output)),
  ];
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-context-chart": ContextChart;
  }
}
