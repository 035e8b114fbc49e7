import { css } from "lit";

/** A policy or the assumptions: one bordered card. */
export const cardStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  .card {
    padding: 8px 10px 10px;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, var(--vscode-panel-border, transparent)));
    border-radius: var(--vscode-cornerRadius-small, 4px);
    line-height: 18px;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
  }
  .head h3 {
    flex: 1 1 auto;
    min-inline-size: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .head label {
    display: flex;
    align-items: center;
    gap: 8px;
    cursor: pointer;
  }
  .tools {
    display: flex;
    flex: none;
    gap: 1px;
  }
  .off h3,
  .off .about {
    color: var(--vscode-descriptionForeground);
  }
  .about {
    margin-block: 2px 6px;
    color: var(--vscode-descriptionForeground);
  }
  .mark {
    display: inline-block;
    padding: 0 5px;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-descriptionForeground));
    border-radius: 9px;
    color: var(--vscode-descriptionForeground);
    font-size: 11px;
    font-weight: normal;
    line-height: 16px;
    white-space: nowrap;
  }
  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
    margin-block: 6px;
  }
  .fields .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr);
    align-items: center;
    gap: 0 8px;
  }
  .pair input[type="text"],
  .pair select {
    inline-size: 100%;
  }
  .pair .invalid {
    grid-column: 1 / -1;
  }
  .flag {
    cursor: pointer;
  }
  .disclose {
    all: unset;
    display: inline-flex;
    align-items: center;
    gap: 2px;
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
  }
  .disclose:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
  }
  .report {
    margin-block-start: 6px;
  }
  .report p + p,
  .source p + p {
    margin-block-start: 2px;
  }
  .source {
    overflow-wrap: anywhere;
  }
`;
