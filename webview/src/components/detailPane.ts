import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { charsOf, type ResultRow } from "../../../extension/src/core/model/rowQuery";
import type { ResultState } from "../../../extension/src/core/model/transcript";
import type { Detail } from "../../../extension/src/protocol/webview";
import type { DetailState } from "../detailLoader";
import { formatFor, UNKNOWN } from "../format";
import type { PageState } from "../pageLoader";
import { marked } from "../searchMarks";
import type { SearchState } from "../searchRunner";
import type { Actions, Copied } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { detailStyles } from "../styles/detail";
import { visibleLine } from "../visibleText";
import { button } from "./controls/button";
import { focusIsLost } from "./controls/focus";
import { icon } from "./icon";
import "./outputPages";
import { fileMarks, stateMarks } from "./marks";
import { secretText } from "./secretText";
import { middleTruncated } from "./text";

const words = strings.detail;

/** States in which what stands in context is the beginning of a longer text. */
const HAS_PREVIEW: readonly ResultState[] = ["persisted", "handle", "truncated"];

/** What is known about the selected result: sentence, actions, facts, preview. */
@customElement("cbi-detail-pane")
export class DetailPane extends LitElement {
  static override readonly styles = [...baseStyles, detailStyles];

  @property({ attribute: false }) row: ResultRow | null = null;
  @property({ attribute: false }) state: DetailState | null = null;
  @property({ attribute: false }) hits: SearchState | null = null;
  /** Pages of the full output, in the place of the preview; null = the preview is shown. */
  @property({ attribute: false }) page: PageState | null = null;
  @property({ attribute: false }) copied: Copied | null = null;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;
  private scrolledFor = "";
  /** The pages are opened by their button here, not by another view. */
  private opensPages = false;

  /** The first hit comes into view when another result or another search is shown; closed pages hand their focus back. */
  protected override updated(changed: PropertyValues<this>): void {
    if (this.page === null && changed.get("page") != null) {
      this.opensPages = false;
      if (!changed.has("row") && focusIsLost())
        this.renderRoot.querySelector<HTMLElement>(".page-through vscode-button")?.focus();
    }
    const shown = `${this.state?.detail?.index} ${this.hits?.query.text} ${this.hits?.hits.has(this.row?.index ?? -1)}`;
    if ((changed.has("state") || changed.has("hits")) && shown !== this.scrolledFor) {
      this.scrolledFor = shown;
      this.renderRoot.querySelector("mark")?.scrollIntoView({ block: "nearest" });
    }
  }

  protected override render(): TemplateResult {
    const { row, state } = this;
    if (row === null) {
      return html`<section class="empty" aria-label=${words.label}><p class="quiet">${words.none}</p></section>`;
    }
    const detail = state?.index === row.index ? state.detail : null;
    const error = state?.index === row.index ? state.error : null;
    return html`<section aria-label=${words.label} aria-busy=${state?.loading ?? false}>
      ${this.renderTitle(row)}
      ${
        error === null
          ? nothing
          : html`<p class="failed" role="alert">
              ${icon("error", { tone: "error" })}<span>${words.failed(visibleLine(error))}</span>
            </p>
            <div class="actions">
              ${button({ label: words.again, press: () => this.actions?.retryDetail() })}${this.renderReveal(row, true)}
            </div>`
      }
      ${detail === null ? (error === null ? html`<p class="quiet">${words.loading}</p>` : nothing) : this.renderDetail(row, detail)}
    </section>`;
  }

  private renderTitle(row: ResultRow): TemplateResult {
    const format = formatFor(this.locale);
    const name = row.tool === null ? strings.table.noTool : visibleLine(row.tool);
    return html`<div class="title">
      <h2 class="name" title=${name}>${name}</h2>
      <span class="quiet">${words.turnCall(format.count(row.turn), format.count(row.call))}</span>
    </div>`;
  }

  private renderReveal(row: ResultRow, secondary: boolean): TemplateResult {
    return button({
      label: words.openTranscript,
      kind: secondary ? "secondary" : "primary",
      press: () => this.actions?.reveal(row.line),
    });
  }

  private renderDetail(row: ResultRow, detail: Detail): TemplateResult {
    const { actions, copied } = this;
    const isCopied = (what: Copied["what"]): boolean => copied?.index === row.index && copied.what === what;
    const copy = (what: "path" | "handle", label: string): TemplateResult =>
      button({
        label,
        icon: isCopied(what) ? "check" : "copy",
        press: () => actions?.copy(row.index, what),
      });
    return html`<p class="summary">${visibleLine(detail.summary)}</p>
      <div class="actions">
        ${
          detail.canOpenFull
            ? button({ label: words.openFull, kind: "primary", press: () => actions?.openFull(row.index) })
            : nothing
        }
        ${
          detail.canPage && (detail.capped || row.state !== "inline") && this.page?.index !== row.index
            ? html`<span class="page-through"
                >${button({
                  label: words.pageThrough,
                  press: () => {
                    this.opensPages = true;
                    actions?.pages.show(row.index, 0);
                  },
                })}</span
              >`
            : nothing
        }
        ${this.renderReveal(row, detail.canOpenFull)} ${detail.path === null ? nothing : copy("path", words.copyPath)}
        ${detail.handle === null ? nothing : copy("handle", words.copyHandle)}
        ${
          detail.left === null
            ? nothing
            : button({ label: words.openCompaction, press: () => actions?.reveal(detail.left?.line ?? row.line) })
        }
        ${
          detail.canRebase
            ? button({ label: words.rebase, tip: words.rebaseTip, press: () => actions?.rebase() })
            : nothing
        }
      </div>
      ${
        detail.notes.length === 0
          ? nothing
          : html`<ul class="notes">
              ${detail.notes.map((note) => html`<li>${visibleLine(note)}</li>`)}
            </ul>`
      }
      ${
        this.page?.index === row.index
          ? html`<cbi-output-pages
              .state=${this.page}
              .locale=${this.locale}
              .actions=${actions?.pages ?? null}
              .inherits=${this.opensPages}
            ></cbi-output-pages>`
          : this.renderPreview(row, detail)
      }
      ${this.renderFacts(row, detail)}`;
  }

  private renderFacts(row: ResultRow, detail: Detail): TemplateResult {
    const format = formatFor(this.locale);
    const fact = (name: string, value: unknown): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
    const state = strings.states[row.state];
    const file = strings.files[detail.file];
    const chars = charsOf(row);
    return html`<h3>${words.facts}</h3>
      <dl class="facts">
        ${fact(
          words.state,
          html`<span class="with-icon" title=${state.tip}
            >${icon(stateMarks[row.state].icon, { tone: stateMarks[row.state].tone })}${state.word}</span
          >`,
        )}
        ${
          detail.left === null
            ? nothing
            : fact(
                words.context,
                html`<span class="with-icon" title=${words.leftTip}
                  >${icon("sign-out", { tone: "quiet" })}${strings.contexts.left}</span
                >
                <span class="quiet">${words.leftBy(
                  strings.overview.compactions[detail.left.what].word,
                  detail.left.trigger === null ? null : visibleLine(detail.left.trigger),
                  format.count(detail.left.line),
                )}</span>`,
              )
        }
        ${fact(detail.left === null ? words.inContext : words.whileInContext, chars === null ? UNKNOWN : words.size(format.count(chars), format.short(row.tokens)))}
        ${
          row.state === "inline"
            ? nothing
            : fact(
                words.fullSize,
                row.statedChars === null
                  ? html`${UNKNOWN} <span class="quiet">${words.unstated}</span>`
                  : row.statedRounded
                    ? html`≈ ${strings.header.chars(format.count(row.statedChars))}
                        <span class="quiet">${words.rounded}</span>`
                    : strings.header.chars(format.count(row.statedChars)),
              )
        }
        ${
          detail.file === "none"
            ? nothing
            : fact(
                words.file,
                html`<span class="with-icon" title=${file.tip}
                  >${icon(fileMarks[detail.file].icon, { tone: fileMarks[detail.file].tone })}${file.word}</span
                >`,
              )
        }
        ${detail.path === null ? nothing : fact(words.path, middleTruncated(detail.path))}
        ${
          detail.resolvedPath === null || detail.resolvedPath === detail.path
            ? nothing
            : fact(words.resolved, middleTruncated(detail.resolvedPath))
        }
        ${detail.handle === null ? nothing : fact(words.handle, middleTruncated(detail.handle))}
        ${detail.nextOffset === null ? nothing : fact(words.next, words.nextValue(format.count(detail.nextOffset)))}
        ${row.callId === null ? nothing : fact(words.callId, middleTruncated(row.callId))}
        ${fact(words.line, html`<span class="tabular">${format.count(row.line)}</span>`)}
      </dl>`;
  }

  private renderPreview(row: ResultRow, detail: Detail): TemplateResult {
    const label = HAS_PREVIEW.includes(row.state) ? words.preview : words.text;
    const hit = this.hits?.hits.get(row.index);
    const parts = marked(detail, hit?.ranges ?? [], this.state?.secrets);
    const inSight = parts.some((part) => part.hit);
    const found = hit === undefined ? "" : strings.search.inDetail(formatFor(this.locale).count(hit.count));
    // No whitespace between tags inside <pre>: it would show.
    return html`<h3>
        ${label}
        ${hit === undefined ? nothing : html`<span class="quiet hits">${found}${inSight ? "" : `, ${strings.search.noneShown}`}</span>`}
      </h3>
      ${
        detail.text === ""
          ? html`<p class="quiet">${words.noText}</p>`
          : html`<pre tabindex="0" role="region" aria-label=${label}>${parts.map((part) =>
              secretText(
                part,
                ({ at }) => this.state?.secrets.has(at) === true,
                (mask, show) => this.actions?.secrets.showSecret(row.index, mask, show),
              ),
            )}</pre>`
      }
      ${
        detail.capped
          ? html`<p class="quiet">${detail.fullInTranscript && !detail.canOpenFull ? words.cappedInTranscript : words.capped}</p>`
          : nothing
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-detail-pane": DetailPane;
  }
}
