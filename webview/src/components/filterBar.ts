import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  CONTEXT_PLACES,
  type Facet,
  FILE_STATUSES,
  isFiltered,
  NO_FILTER,
  RESULT_STATES,
  type RowFilter,
  type RowSummary,
} from "../../../extension/src/core/model/rowQuery";
import type { ThreadRow } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import { MAX_LISTED } from "../rowHeight";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { visibleLine } from "../visibleText";
import { button } from "./controls/button";
import { dropdown } from "./controls/dropdown";
import { textField } from "./controls/textField";

const words = strings.filter;

/** Text and menus that narrow the table, and what is left of it. */
@customElement("cbi-filter-bar")
export class FilterBar extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px;
        padding: 6px 16px;
      }
      vscode-text-field {
        flex: 1 1 160px;
        min-inline-size: 0;
        max-inline-size: 480px;
      }
      vscode-dropdown {
        flex: 0 1 124px;
        min-inline-size: 0;
      }
      vscode-text-field.turns {
        --input-min-width: 0;
        flex: 0 1 72px;
      }
      vscode-text-field[aria-invalid="true"] {
        outline: 1px solid var(--vscode-editorError-foreground);
      }
      @media (max-width: 560px) {
        vscode-text-field {
          flex-basis: 100%;
        }
        vscode-dropdown {
          flex: 1 1 calc(50% - 6px);
        }
        vscode-text-field.turns {
          flex: 0 1 72px;
        }
      }
      /* One piece, as large with a button as without: what is filtered moves nothing. */
      .end {
        display: flex;
        align-items: center;
        gap: 6px;
        min-block-size: 24px;
        margin-inline-start: auto;
      }
      .room {
        inline-size: 22px;
      }
      .count {
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) filter: RowFilter = NO_FILTER;
  /** Null until the first answer. */
  @property({ attribute: false }) summary: RowSummary | null = null;
  @property({ attribute: false }) threads: readonly ThreadRow[] = [];
  @property({ attribute: false }) shown = 0;
  @property({ attribute: false }) all = 0;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;

  focusText(): void {
    this.renderRoot.querySelector<HTMLElement>("vscode-text-field")?.focus();
  }

  /** What stands in the field for turns while it is typed. */
  @state() private turnDraft: string | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Whatever else changes the filter, the field then shows what filters.
    if (this.turnDraft !== null && changed.has("filter")) {
      const typed = turnsOf(this.turnDraft);
      this.turnDraft = typed !== undefined && isSameTurns(typed, this.filter.turns) ? this.turnDraft : null;
    }
  }

  protected override render(): TemplateResult {
    const { filter, summary, threads, actions } = this;
    const facets = summary?.facets;
    const format = formatFor(this.locale);
    /** What occurs, and what is chosen though it does not (any more). */
    const options = <T extends string>(
      listed: readonly Facet<T>[] | undefined,
      chosen: readonly T[] | null,
      word: (value: T) => string,
    ): { readonly value: string; readonly label: string }[] => {
      const missing = (chosen ?? []).filter((value) => listed?.some((facet) => facet.value === value) !== true);
      return [
        ...(listed ?? []).map(({ value, count }) => ({
          value,
          label: words.option(word(value), format.count(count)),
        })),
        ...missing.map((value) => ({ value, label: word(value) })),
      ];
    };
    const titles = new Map(threads.map((thread) => [thread.id, visibleLine(thread.title)]));
    return html`${textField({
      label: words.text,
      placeholder: words.placeholder,
      icon: "filter",
      value: filter.text,
      input: (text) => actions?.setFilter({ text }),
    })}
      ${
        threads.length < 2
          ? nothing
          : dropdown({
              label: words.thread,
              all: words.allThreads,
              value: filter.threads?.[0] ?? null,
              options: options(facets?.threads, filter.threads, (id) => titles.get(id) ?? visibleLine(id)),
              change: (thread) => actions?.setFilter({ threads: thread === null ? null : [thread] }),
            })
      }
      ${dropdown({
        label: words.state,
        all: words.allStates,
        value: filter.states?.[0] ?? null,
        options: options(facets?.states, filter.states, (state) => strings.states[state].word),
        change: (state) => actions?.setFilter({ states: chosen(RESULT_STATES, state) }),
      })}
      ${dropdown({
        label: words.tool,
        all: words.allTools,
        value: filter.tools?.[0] ?? null,
        options: options(facets?.tools, filter.tools, visibleLine),
        change: (tool) => actions?.setFilter({ tools: tool === null ? null : [tool] }),
      })}
      ${dropdown({
        label: words.file,
        all: words.allFiles,
        value: filter.files?.[0] ?? null,
        options: options(
          facets?.files.filter(({ value }) => value !== "none"),
          filter.files,
          (status) => strings.files[status].word,
        ),
        change: (file) => actions?.setFilter({ files: chosen(FILE_STATUSES, file) }),
      })}
      ${dropdown({
        label: words.context,
        all: words.allContexts,
        value: filter.context,
        options: options(
          facets?.context,
          filter.context === null ? null : [filter.context],
          (place) => strings.contexts[place],
        ),
        change: (place) => actions?.setFilter({ context: CONTEXT_PLACES.find((one) => one === place) ?? null }),
      })}
      ${textField({
        label: words.turns,
        kind: "turns",
        placeholder: words.turnsPlaceholder,
        value: this.turnDraft ?? turnsText(filter.turns),
        isWrong: this.turnDraft !== null && turnsOf(this.turnDraft) === undefined,
        input: (text) => this.typeTurns(text),
      })}
      <div class="end">
        ${
          isFiltered(filter)
            ? button({ label: words.clear, kind: "icon", icon: "close", press: () => actions?.clearFilter() })
            : html`<span class="room"></span>`
        }
        <span class="count quiet" role="status" aria-live=${isFiltered(filter) ? "polite" : "off"} title=${
          summary === null ? nothing : words.sizesTip(format.count(summary.chars), format.count(summary.tokens))
        }
          >${words.count(
            format.count(this.shown),
            format.count(this.all),
            summary === null ? "" : format.short(summary.chars),
          )}${this.shown > MAX_LISTED ? ` · ${words.capped(format.count(MAX_LISTED))}` : nothing}</span
        >
      </div>`;
  }

  private typeTurns(text: string): void {
    this.turnDraft = text;
    const turns = turnsOf(text);
    if (turns !== undefined) {
      this.actions?.setFilter({ turns });
    }
  }
}

/** `5` or `3-8`; null for nothing, undefined for what is no turn. */
function turnsOf(text: string): RowFilter["turns"] | undefined {
  if (text.trim() === "") {
    return null;
  }
  const match = /^\s*(\d{1,9})\s*(?:[-–]\s*(\d{1,9})\s*)?$/u.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2] ?? match[1])];
}

function isSameTurns(a: RowFilter["turns"], b: RowFilter["turns"]): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

function turnsText(turns: RowFilter["turns"]): string {
  if (turns === null) {
    return "";
  }
  return turns[0] === turns[1] ? `${turns[0]}` : `${turns[0]}-${turns[1]}`;
}

/** A list of the one value, as a filter has it; null for none and for words that are no value. */
function chosen<T extends string>(values: readonly T[], value: string | null): readonly T[] | null {
  const found = values.find((one) => one === value);
  return found === undefined ? null : [found];
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-filter-bar": FilterBar;
  }
}
