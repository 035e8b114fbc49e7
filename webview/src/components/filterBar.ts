import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ResultState } from "../../../extension/src/core/model/transcript";
import type { FileStatus, ThreadRow } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import { type Facets, type Filter, isFiltered, NO_FILTER } from "../rows";
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
        flex: 1 1 220px;
        min-inline-size: 0;
        max-inline-size: 480px;
      }
      vscode-dropdown {
        flex: 0 1 132px;
        min-inline-size: 0;
      }
      @media (max-width: 560px) {
        vscode-text-field {
          flex-basis: 100%;
        }
        vscode-dropdown {
          flex: 1 1 calc(50% - 6px);
        }
      }
      .count {
        margin-inline-start: auto;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) filter: Filter = NO_FILTER;
  @property({ attribute: false }) facets: Facets = { tools: [], states: [], files: [] };
  @property({ attribute: false }) threads: readonly ThreadRow[] = [];
  @property({ attribute: false }) shown = 0;
  @property({ attribute: false }) all = 0;
  @property({ attribute: false }) chars = 0;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;

  focusText(): void {
    this.renderRoot.querySelector<HTMLElement>("vscode-text-field")?.focus();
  }

  protected override render(): TemplateResult {
    const { filter, facets, threads, actions } = this;
    const format = formatFor(this.locale);
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
              value: filter.thread,
              options: threads.map((thread) => ({
                value: thread.id,
                label: words.threadOption(visibleLine(thread.title), format.count(thread.calls)),
              })),
              change: (thread) => actions?.setFilter({ thread }),
            })
      }
      ${dropdown({
        label: words.state,
        all: words.allStates,
        value: filter.state,
        options: facets.states.map((state) => ({ value: state, label: strings.states[state].word })),
        change: (state) => actions?.setFilter({ state: state as ResultState | null }),
      })}
      ${dropdown({
        label: words.tool,
        all: words.allTools,
        value: filter.tool,
        options: facets.tools.map((tool) => ({ value: tool, label: visibleLine(tool) })),
        change: (tool) => actions?.setFilter({ tool }),
      })}
      ${dropdown({
        label: words.file,
        all: words.allFiles,
        value: filter.file,
        options: facets.files
          .filter((status) => status !== "none")
          .map((status) => ({ value: status, label: strings.files[status].word })),
        change: (file) => actions?.setFilter({ file: file as FileStatus | null }),
      })}
      ${
        isFiltered(filter)
          ? button({ label: words.clear, kind: "icon", icon: "close", press: () => actions?.clearFilter() })
          : nothing
      }
      <span class="count quiet" role="status"
        >${words.count(format.count(this.shown), format.count(this.all), format.short(this.chars))}</span
      >`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-filter-bar": FilterBar;
  }
}
