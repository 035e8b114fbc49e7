import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type {
  CompactionTick,
  FormatFacts,
  LedgerEntry,
  Overview,
  ThreadFacts,
  UsageSums,
} from "../../../extension/src/protocol/webview";
import { type Format, formatFor } from "../format";
import type { OverviewState } from "../overviewLoader";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { overviewStyles } from "../styles/overview";
import { aroundTick, contextOf, unitOf } from "../timeline";
import { visibleLine } from "../visibleText";
import { button } from "./controls/button";
import { icon } from "./icon";
import "./contextChart";

const words = strings.overview;
const FACTS = ["usage", "cache", "threads", "times", "compaction", "turns", "results"] as const;
const TELLS = { yes: "check", partly: "circle-outline", no: "circle-slash" } as const;
/** Lines of a ledger entry that are offered to open. */
const LINES = 5;

/** How the context grew, which usage was counted, and what the transcript cannot tell. */
@customElement("cbi-overview")
export class OverviewTab extends LitElement {
  static override readonly styles = [...baseStyles, overviewStyles];

  @property({ attribute: false }) state: OverviewState | null = null;
  /** Context window of the thread that is drawn, tokens; null = not known. */
  @property({ attribute: false }) windowTokens: number | null = null;
  @property({ attribute: false }) asTable = false;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;

  protected override render(): TemplateResult {
    const overview = this.state?.overview ?? null;
    const error = this.state?.error ?? null;
    const failed =
      error === null
        ? nothing
        : html`<p role="alert" class="with-icon">${icon("error", { tone: "error" })}${words.failed(visibleLine(error))}</p>`;
    if (overview === null) {
      return html`<div class="page" aria-label=${words.label}>
        ${error === null ? html`<p class="quiet">${words.loading}</p>` : failed}
      </div>`;
    }
    const format = formatFor(this.locale);
    return html`<div class="page" role="region" aria-label=${words.label} tabindex="0">
      ${failed}${this.renderTimeline(overview, format)}
      ${this.renderCompactions(overview, format)}${this.renderThreads(overview, format)}
      ${this.renderLedger(overview, format)}${overview.tells === null ? nothing : renderTells(overview.tells)}
    </div>`;
  }

  private renderTimeline(overview: Overview, format: Format): TemplateResult {
    const { points } = overview;
    const unit = unitOf(points);
    const thread = titleAmong(overview);
    return html`<section>
      <div class="head">
        <h2 title=${words.timelineTip}>
          ${words.timeline} <span class="quiet">${unit === "tokens" ? words.measured : words.counted}${thread === null ? nothing : ` · ${thread}`}</span>
        </h2>
        ${
          points.length === 0
            ? nothing
            : button({
                label: this.asTable ? words.asChart : words.asTable,
                press: () => this.actions?.setAsTable(!this.asTable),
              })
        }
      </div>
      ${
        points.length === 0
          ? html`<p class="quiet">${words.noCalls}</p>`
          : this.asTable
            ? this.renderTable(overview, format)
            : html`<cbi-context-chart
                .overview=${overview}
                .windowTokens=${this.windowTokens}
                .locale=${this.locale}
                .actions=${this.actions}
              ></cbi-context-chart>`
      }
      ${overview.callsPerPoint > 1 ? html`<p class="quiet">${words.perPoint(format.count(overview.callsPerPoint))}</p>` : nothing}
      ${overview.callsOmitted > 0 ? html`<p class="quiet">${words.callsOmitted(format.count(overview.callsOmitted))}</p>` : nothing}
    </section>`;
  }

  private renderTable({ points }: Overview, format: Format): TemplateResult {
    const { heads } = words;
    return html`<div class="scroll calls" tabindex="0" role="region" aria-label=${words.timeline}>
      <table>
        <thead>
          <tr>
            ${[
              heads.call,
              heads.turn,
              heads.context,
              heads.cacheRead,
              heads.cacheWrite,
              heads.input,
              heads.output,
              heads.chars,
            ].map((head) => html`<th scope="col" class="number">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${points.map(
            (point) => html`<tr>
              <th scope="row" class="number">${this.line(point.line, format.count(point.call))}</th>
              ${[
                point.turn,
                contextOf(point),
                point.cacheRead,
                point.cacheWrite,
                point.input,
                point.output,
                point.chars,
              ].map((value) => html`<td class="number">${format.count(value)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderCompactions(overview: Overview, format: Format): TemplateResult | typeof nothing {
    const { compactions, compactionsOmitted } = overview;
    const thread = titleAmong(overview);
    if (compactions.length === 0) {
      return nothing;
    }
    return html`<section>
      <h2>${words.compactionsTitle} <span class="quiet">${format.count(compactions.length + compactionsOmitted)}${thread === null ? nothing : ` · ${thread}`}</span></h2>
      <ul class="events">
        ${compactions.map((tick) => {
          const { word, tip } = words.compactions[tick.what];
          const trigger = tick.trigger === null ? "" : ` (${visibleLine(tick.trigger)})`;
          return html`<li>
            ${this.line(tick.line, tick.afterCall === 0 ? words.beforeFirst : words.afterCall(format.count(tick.afterCall)))}
            <span title=${tip}>${word}${trigger}</span>
            <span class="number">${compactionTokens(tick, overview, format)}</span>
            ${tick.cleared === 0 ? nothing : html`<span class="quiet">${words.clearedResults(format.count(tick.cleared))}</span>`}
          </li>`;
        })}
      </ul>
      ${compactionsOmitted === 0 ? nothing : html`<p class="quiet">${words.compactionsOmitted(format.count(compactionsOmitted))}</p>`}
    </section>`;
  }

  private renderThreads({ threads, threadsOmitted, thread: shown }: Overview, format: Format): TemplateResult {
    const { heads } = words;
    const numbers = [
      { head: heads.context, tip: words.measuredTip },
      { head: heads.chars, tip: words.charsTip },
      ...[
        heads.calls,
        heads.messages,
        heads.input,
        heads.cacheRead,
        heads.cacheWrite,
        heads.output,
        heads.compactions,
      ].map((head) => ({ head, tip: nothing })),
    ];
    const row = (thread: ThreadFacts): TemplateResult => {
      const usage: UsageSums | null = thread.usage ?? thread.stated;
      const note =
        thread.usage === null
          ? thread.stated === null
            ? null
            : words.statedByAgent
          : thread.callsWithUsage < thread.calls
            ? words.partly(format.count(thread.callsWithUsage), format.count(thread.calls))
            : null;
      const values = [
        thread.measuredTokens,
        thread.chars,
        thread.calls,
        thread.messages,
        usage?.input,
        usage?.cacheRead,
        usage?.cacheWrite,
        usage?.output,
        thread.compactions,
      ];
      return html`<tr>
        <th scope="row">
          ${
            threads.length === 1
              ? visibleLine(thread.title)
              : html`<button
                  class="link"
                  type="button"
                  aria-pressed=${thread.id === shown}
                  @click=${() => this.actions?.setFilter({ threads: [thread.id] })}
                >
                  ${visibleLine(thread.title)}
                </button>`
          }
          <span class="quiet">${words.kinds[thread.kind]}${thread.model === null ? nothing : ` · ${visibleLine(thread.model)}`}${
            note === null ? nothing : ` · ${note}`
          }</span>
        </th>
        ${values.map((value) => html`<td class="number">${format.count(value ?? null)}</td>`)}
      </tr>`;
    };
    return html`<section>
      <h2>${words.threadsTitle} <span class="quiet">${format.count(threads.length + threadsOmitted)}</span></h2>
      <div class="scroll" tabindex="0" role="region" aria-label=${words.threadsTitle}>
        <table>
          <thead>
            <tr>
              <th scope="col">${heads.thread}</th>
              ${numbers.map(({ head, tip }) => html`<th scope="col" class="number" title=${tip}>${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${threads.map(row)}
          </tbody>
        </table>
      </div>
      ${threadsOmitted === 0 ? nothing : html`<p class="quiet">${words.threadsOmitted(format.count(threadsOmitted))}</p>`}
    </section>`;
  }

  private renderLedger({ ledger, threads, threadsOmitted }: Overview, format: Format): TemplateResult {
    const of = threads.length < 2 ? nothing : words.ofThreads(format.count(threads.length + threadsOmitted));
    const title = html`<h2>${words.ledgerTitle} <span class="quiet">${of}</span></h2>`;
    if (ledger === null) {
      return html`<section>${title}<p class="quiet">${words.ledgerWaits}</p></section>`;
    }
    const not = ledger.notCounted.reduce((sum, entry) => sum + entry.count, 0);
    const all = ledger.counted.count + not;
    return html`<section>
      ${title}
      <p>${all === 0 ? words.ledgerNone : words.ledger(format.count(all), format.count(ledger.counted.count), format.count(not))}</p>
      <ul class="events">
        ${ledger.counted.count === 0 ? nothing : this.entry("check", words.countedEntry(format.count(ledger.counted.count)), ledger.counted, format)}
        ${ledger.notCounted.map((entry) =>
          this.entry(
            "circle-slash",
            words.notCountedEntry(format.count(entry.count), words.reasons[entry.reason]),
            entry,
            format,
          ),
        )}
        ${
          ledger.callsWithoutUsage.count === 0
            ? nothing
            : this.entry(
                "question",
                words.withoutUsage(format.count(ledger.callsWithoutUsage.count)),
                ledger.callsWithoutUsage,
                format,
              )
        }
      </ul>
    </section>`;
  }

  private entry(
    mark: "check" | "circle-slash" | "question",
    text: string,
    entry: LedgerEntry,
    format: Format,
  ): TemplateResult {
    const lines = entry.lines.slice(0, LINES);
    const more = entry.count - lines.length;
    return html`<li>
      ${icon(mark, { tone: "quiet" })}<span>${text}</span>
      <span class="lines">${lines.map((line) => this.line(line, words.line(format.count(line))))}${
        more > 0 ? html`<span class="quiet">${words.moreLines(format.count(more))}</span>` : nothing
      }</span>
    </li>`;
  }

  private line(line: number, label: string): TemplateResult {
    return html`<button
      class="link"
      type="button"
      title=${words.openLine(formatFor(this.locale).count(line))}
      @click=${() => this.actions?.reveal(line)}
    >
      ${label}
    </button>`;
  }
}

/** Title of the thread that is drawn; null where there is only one. */
function titleAmong({ thread, threads }: Overview): string | null {
  const title = threads.length < 2 ? undefined : threads.find(({ id }) => id === thread)?.title;
  return title === undefined ? null : visibleLine(title);
}

/** Tokens before → after, as stated or as the neighbouring calls measured them; what nobody says is said to be unknown. */
function compactionTokens(tick: CompactionTick, { points }: Overview, format: Format): string {
  const { before, after } = aroundTick(tick);
  const measured = unitOf(points) === "tokens" || before !== null || after !== null;
  if (!measured) {
    return words.charsChange(format.count(tick.charsBefore), format.count(tick.charsAfter));
  }
  const left = before === null ? words.unknownBefore : words.tok(format.count(before));
  const right = after === null ? words.unknownUntilNext : words.tok(format.count(after));
  return [
    words.tokens(
      before !== null && tick.tokensBefore === null ? words.lastCall(left) : left,
      after !== null && tick.tokensAfter === null ? words.nextCall(right) : right,
    ),
    ...(tick.tokensFreed === null ? [] : [words.freed(format.count(tick.tokensFreed))]),
  ].join(" · ");
}

function renderTells(tells: FormatFacts): TemplateResult {
  return html`<section>
    <h2>${words.tellsTitle}</h2>
    <ul class="tells">
      ${FACTS.map(
        (fact) =>
          html`<li>
            ${icon(TELLS[tells[fact]], { tone: "quiet" })}<span>${words.facts[fact]}: ${words.tells[tells[fact]]}</span>
          </li>`,
      )}
    </ul>
    ${tells.note === "" ? nothing : html`<p class="quiet">${tells.note}</p>`}
  </section>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-overview": OverviewTab;
  }
}
