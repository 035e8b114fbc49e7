import { css, unsafeCSS } from "lit";
import { ROW_HEIGHT } from "../rowHeight";

export const tableStyles = css`
  :host {
    display: block;
    container-type: inline-size;
    min-block-size: 0;
    min-inline-size: 0;
  }
  .scroller {
    block-size: 100%;
    overflow: hidden auto;
    overflow-anchor: none;
    outline: none;
  }
  .grid {
    position: relative;
    min-block-size: 100%;
  }
  .row {
    display: grid;
    grid-template-columns: max(44px, var(--number)) max(44px, var(--number)) minmax(90px, 1.3fr) 108px 80px 66px 88px minmax(120px, 1.8fr) 132px;
    position: absolute;
    inset-block-start: 0;
    inset-inline: 0;
    block-size: ${unsafeCSS(ROW_HEIGHT)}px;
    line-height: ${unsafeCSS(ROW_HEIGHT)}px;
    padding-inline: 12px;
    cursor: pointer;
    white-space: nowrap;
  }
  .head-row {
    position: sticky;
    z-index: 1;
    background:
      linear-gradient(
        var(--vscode-keybindingTable-headerBackground, transparent),
        var(--vscode-keybindingTable-headerBackground, transparent)
      ),
      var(--vscode-editor-background);
    font-weight: 600;
    cursor: default;
    border-block-end: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .cell {
    display: flex;
    align-items: center;
    gap: 5px;
    overflow: hidden;
    padding-inline: 4px;
    min-inline-size: 0;
  }
  .cell.number {
    justify-content: flex-end;
    font-variant-numeric: tabular-nums;
  }
  .cell.where,
  .cell.file {
    padding-inline-start: 12px;
  }
  .cell.state {
    padding-inline-start: 8px;
  }
  .ellipsis {
    overflow: hidden;
    text-overflow: ellipsis;
    min-inline-size: 0;
  }
  .cell .mono {
    font-size: 0.92em;
  }
  .cell .codicon {
    font-size: 14px;
  }
  .head-row button {
    all: unset;
    display: flex;
    align-items: center;
    gap: 2px;
    min-inline-size: 0;
    cursor: pointer;
  }
  .head-row .number button {
    flex-direction: row-reverse;
  }
  .head-row button:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
  }
  .head-row .codicon {
    font-size: 12px;
  }
  .left {
    color: var(--vscode-descriptionForeground);
  }
  .waiting {
    cursor: default;
  }
  .odd {
    background: var(--vscode-tree-tableOddRowsBackground, transparent);
  }
  .row:not(.head-row):hover {
    background: var(--vscode-list-hoverBackground);
    color: var(--vscode-list-hoverForeground, inherit);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .row.selected {
    background: var(--vscode-list-inactiveSelectionBackground);
    color: var(--vscode-list-inactiveSelectionForeground, inherit);
    outline: 1px dotted var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .row.selected:focus,
  .row.selected:focus-within {
    background: var(--vscode-list-activeSelectionBackground);
    color: var(--vscode-list-activeSelectionForeground);
    outline: 1px solid var(--vscode-list-focusAndSelectionOutline, var(--vscode-contrastActiveBorder, transparent));
  }
  .row.selected:focus .codicon {
    color: var(--vscode-list-activeSelectionIconForeground, inherit);
  }
  .row:not(.selected):focus-visible {
    outline: 1px solid var(--vscode-list-focusOutline, var(--vscode-focusBorder));
    outline-offset: -1px;
  }
  @container (max-width: 840px) {
    .row {
      grid-template-columns: max(44px, var(--number)) max(44px, var(--number)) minmax(90px, 1.3fr) 108px 80px 88px minmax(100px, 1.8fr) 132px;
    }
    .tokens {
      display: none;
    }
  }
  @container (max-width: 724px) {
    .row {
      grid-template-columns: max(44px, var(--number)) minmax(90px, 1.3fr) 100px 76px 76px minmax(96px, 1.6fr) 124px;
    }
    .call {
      display: none;
    }
  }
  @container (max-width: 630px) {
    .row {
      grid-template-columns: max(44px, var(--number)) minmax(80px, 1.3fr) 100px 76px minmax(90px, 1.6fr) 124px;
    }
    .full {
      display: none;
    }
  }
  @container (max-width: 540px) {
    .row {
      grid-template-columns: minmax(70px, 1fr) 104px 76px 112px;
      padding-inline: 8px;
    }
    .turn,
    .where {
      display: none;
    }
  }
  @container (max-width: 380px) {
    .row {
      grid-template-columns: minmax(60px, 1fr) 76px 66px 86px;
      padding-inline: 4px;
    }
    .cell.state,
    .cell.file {
      padding-inline-start: 6px;
    }
    /* The name needs the room, and the word says it. */
    .cell.state .codicon {
      display: none;
    }
  }
`;
