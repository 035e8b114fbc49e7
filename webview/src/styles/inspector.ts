import { css } from "lit";

export const inspectorStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    block-size: 100vh;
    inline-size: 100%;
    min-inline-size: 0;
    overflow: auto hidden;
    background: var(--vscode-editor-background);
  }
  /* Narrower than that nothing is legible any more: the page scrolls sideways. */
  @media (max-width: 319px) {
    cbi-transcript-header,
    .message,
    .screen,
    vscode-panels {
      inline-size: 320px;
      min-inline-size: 320px;
    }
  }
  cbi-transcript-header,
  .message {
    flex: none;
  }
  vscode-panels {
    flex: 1 1 0;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: hidden;
    grid-template: auto minmax(0, 1fr) / auto minmax(0, 1fr);
  }
  /* Low windows and large zoom: the page scrolls down to the tab, which then has the whole height. */
  @media (max-height: 560px) {
    :host {
      overflow: auto;
    }
    vscode-panels {
      flex: none;
      block-size: max(100vh, 380px);
    }
  }
  vscode-panels::part(tablist) {
    grid-row: 1;
    grid-column: 1;
    column-gap: 20px;
    padding: 0 16px;
  }
  @media (max-width: 400px) {
    vscode-panels::part(tablist) {
      column-gap: 12px;
      padding: 0 10px;
    }
  }
  vscode-panels::part(start) {
    display: none;
  }
  vscode-panels::part(end) {
    grid-row: 1;
    grid-column: 2;
    display: flex;
    align-items: center;
    justify-content: flex-end;
    align-self: stretch;
    inline-size: auto;
    block-size: auto;
    min-inline-size: 0;
    padding-inline-end: 16px;
  }
  vscode-panels > [slot="end"] {
    min-inline-size: 0;
  }
  vscode-panels::part(tablist),
  vscode-panels::part(end) {
    border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
  }
  vscode-panels::part(tabpanel) {
    grid-column: 1 / -1;
    min-block-size: 0;
    min-inline-size: 0;
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
  }
  vscode-panel-view {
    padding: 0;
    border: 0;
    min-block-size: 0;
    min-inline-size: 0;
  }
  vscode-panel-view:not([hidden]) {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
  }
  vscode-panel-tab .badge {
    margin-inline-start: 6px;
  }
  /* Five tabs and a badge beside each other; what room there is keeps the tabs apart. */
  @media (max-width: 370px) {
    vscode-panels::part(tablist) {
      column-gap: clamp(2px, (100vw - 312px) / 4, 12px);
      padding: 0 4px;
    }
    vscode-panel-tab {
      font-size: 12px;
    }
    vscode-panel-tab .badge {
      margin-inline-start: 2px;
      padding: 0 3px;
    }
  }
  .results {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr);
    min-block-size: 0;
  }
  .message {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 4px 16px;
  }
  .message > span:not(.codicon) {
    overflow-wrap: anywhere;
    min-inline-size: 0;
  }
  .message > vscode-button {
    flex: none;
  }
  .screen,
  .no-match {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 10px;
    padding: 24px;
    text-align: center;
    block-size: 100%;
  }
  .screen > .codicon {
    font-size: 28px;
  }
  .screen p {
    max-inline-size: 64ch;
    overflow-wrap: anywhere;
    line-height: 1.5;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 6px;
  }
`;
