import { css } from "lit";

export const detailStyles = css`
  :host {
    display: block;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: auto;
    container-type: inline-size;
  }
  section {
    display: flex;
    flex-direction: column;
    gap: 10px;
    padding: 8px 16px 16px;
    min-block-size: 100%;
  }
  .empty {
    align-items: center;
    justify-content: center;
    text-align: center;
  }
  .title {
    display: flex;
    align-items: baseline;
    gap: 8px;
    flex-wrap: wrap;
  }
  .name {
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    max-inline-size: 100%;
  }
  h3 {
    font-weight: 600;
    margin-block-start: 4px;
  }
  .summary,
  .notes li,
  .failed span {
    overflow-wrap: anywhere;
    line-height: 1.45;
  }
  .failed {
    display: flex;
    gap: 6px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .notes {
    display: flex;
    flex-direction: column;
    gap: 2px;
    padding-inline-start: 10px;
    border-inline-start: 2px solid var(--vscode-textBlockQuote-border, var(--vscode-contrastBorder));
  }
  .facts > div {
    display: grid;
    grid-template-columns: minmax(9ch, 12ch) minmax(0, 1fr);
    gap: 8px;
    line-height: 20px;
  }
  dt {
    color: var(--vscode-descriptionForeground);
  }
  dd {
    font-variant-numeric: tabular-nums;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  dd .mono {
    font-size: 0.95em;
  }
  pre {
    margin: 0;
    padding: 8px 10px;
    max-block-size: 46vh;
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    tab-size: 4;
    font-family: var(--vscode-editor-font-family);
    font-size: var(--vscode-editor-font-size);
    line-height: 1.4;
    background: var(--vscode-textCodeBlock-background);
    color: var(--vscode-editor-foreground);
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-radius: 3px;
  }
  .mark {
    margin-inline: 1px;
    color: var(--vscode-descriptionForeground);
    border: 1px solid currentColor;
    border-radius: 2px;
    padding-inline: 1px;
    font-size: 0.75em;
  }
  .secret button {
    font: inherit;
    font-size: 0.92em;
    padding: 0 4px;
    margin: 0 1px;
    cursor: pointer;
    color: var(--vscode-button-secondaryForeground);
    background: var(--vscode-button-secondaryBackground);
    border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent));
    border-radius: 3px;
    overflow-wrap: anywhere;
    text-decoration: underline dotted;
    text-underline-offset: 2px;
  }
  .secret button:hover {
    background: var(--vscode-button-secondaryHoverBackground);
  }
  .secret button:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: 1px;
  }
  mark {
    color: inherit;
    background: var(--vscode-editor-findMatchHighlightBackground);
    outline: 1px solid var(--vscode-editor-findMatchHighlightBorder, transparent);
  }
`;
