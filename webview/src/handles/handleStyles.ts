import { css } from "lit";

export const handleStyles = css`
  :host {
    display: block;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: auto;
    container-type: inline-size;
  }
  .page {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    padding: 10px 16px 24px;
    line-height: 20px;
  }
  .summary {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .link[aria-pressed="true"] {
    text-decoration: underline;
  }
  .link:focus-visible {
    outline-offset: 1px;
  }
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 14px;
  }
  .controls label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .controls vscode-dropdown {
    min-inline-size: 150px;
  }
  input[type="number"] {
    inline-size: 9ch;
    padding: 3px 6px;
    font: inherit;
    font-variant-numeric: tabular-nums;
    color: var(--vscode-input-foreground);
    background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent));
    border-radius: var(--vscode-cornerRadius-small, 2px);
  }
  .failed,
  .stale {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 6px;
    padding: 32px 8px;
    text-align: center;
    text-wrap: balance;
  }
  .row {
    display: grid;
    grid-template-columns: 16px minmax(110px, 1.1fr) minmax(120px, 2fr) minmax(104px, 0.7fr) minmax(150px, 0.9fr);
    gap: 10px;
    align-items: center;
    inline-size: 100%;
    padding: 1px 6px 1px 2px;
    text-align: start;
  }
  button.row {
    all: unset;
    box-sizing: border-box;
    display: grid;
    grid-template-columns: 16px minmax(110px, 1.1fr) minmax(120px, 2fr) minmax(104px, 0.7fr) minmax(150px, 0.9fr);
    gap: 10px;
    align-items: center;
    inline-size: 100%;
    min-block-size: 22px;
    padding: 1px 6px 1px 2px;
    cursor: pointer;
  }
  button.row:hover {
    background: var(--vscode-list-hoverBackground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  button.row:focus-visible {
    outline: 1px solid var(--vscode-list-focusOutline, var(--vscode-focusBorder));
    outline-offset: -1px;
  }
  .row > * {
    min-inline-size: 0;
  }
  .tool {
    display: flex;
    gap: 6px;
    white-space: nowrap;
  }
  .tool > :first-child {
    overflow: hidden;
    text-overflow: ellipsis;
    min-inline-size: 0;
  }
  .tool > .quiet {
    flex: none;
  }
  .with-icon {
    white-space: nowrap;
  }
  .details {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
    margin: 4px 0 10px 8px;
    padding: 4px 8px 8px 18px;
    border-inline-start: 2px solid var(--vscode-textBlockQuote-border, var(--vscode-contrastBorder));
  }
  .details h3 {
    font-weight: 600;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .facts > div {
    display: grid;
    grid-template-columns: minmax(9ch, 14ch) minmax(0, 1fr);
    gap: 8px;
  }
  dt {
    color: var(--vscode-descriptionForeground);
  }
  dd {
    font-variant-numeric: tabular-nums;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .calls li {
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  .notes {
    display: grid;
    gap: 4px;
    max-inline-size: 90ch;
  }
  @container (max-width: 640px) {
    .heads {
      display: none;
    }
    button.row {
      grid-template-columns: 16px minmax(0, 1fr) auto;
      gap: 2px 8px;
      padding-block: 4px;
    }
    button.row .name {
      grid-column: 2 / -1;
      grid-row: 2;
    }
    button.row .readable {
      grid-column: 2;
      grid-row: 3;
    }
    button.row .use {
      grid-column: 3;
      grid-row: 1;
    }
  }
`;
