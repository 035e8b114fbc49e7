import { css } from "lit";

/** The tab as a whole. */
export const panelStyles = css`
  :host {
    display: block;
    container-type: size;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: hidden auto;
    scrollbar-gutter: stable;
  }
  .charts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 22px;
  }
  .page {
    display: grid;
    grid-template-columns: minmax(270px, 340px) minmax(0, 1fr);
    align-items: start;
    gap: 0 14px;
    padding-inline: 16px;
    line-height: 20px;
  }
  h2 {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  h2 .quiet {
    font-weight: normal;
    margin-inline-start: 6px;
  }
  /* Stays beside the charts, so that what a control changes is in sight. */
  .side {
    position: sticky;
    inset-block-start: 0;
    max-block-size: 100cqb;
    overflow: hidden auto;
    scrollbar-gutter: stable;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    padding-block: 12px 24px;
  }
  .main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 22px;
    padding-block: 12px 24px;
    min-inline-size: 0;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 12px;
    min-block-size: 26px;
  }
  .bar .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    min-inline-size: 0;
  }
  .cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr));
    align-items: start;
    gap: 8px;
  }
  .thread {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: center;
    gap: 8px;
  }
  .thread select {
    inline-size: 100%;
  }
  .busy {
    position: fixed;
    inset-block-start: 0;
    inset-inline: 0;
    block-size: 2px;
    overflow: hidden;
    z-index: 4;
  }
  .busy > div {
    block-size: 2px;
    inline-size: 100%;
    background: var(--vscode-progressBar-background);
    transform-origin: 0 0;
  }
  /* A run that answers at once never shows the line. */
  .busy.endless > div {
    inline-size: 30%;
    opacity: 0;
    animation: run 1.6s 0.4s infinite linear;
  }
  @keyframes run {
    from {
      opacity: 1;
      transform: translateX(-100%);
    }
    to {
      opacity: 1;
      transform: translateX(340%);
    }
  }
  .totals {
    display: flex;
    flex-wrap: wrap;
    gap: 10px 36px;
    margin-block: 8px 10px;
  }
  .totals dt {
    color: var(--vscode-descriptionForeground);
    font-size: 0.92em;
  }
  .totals dd {
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  .totals .value {
    font-size: 1.38em;
    line-height: 1.35;
  }
  .totals .value > span {
    white-space: nowrap;
  }
  .totals .more {
    display: block;
    color: var(--vscode-descriptionForeground);
  }
  .summary {
    max-inline-size: 90ch;
    line-height: 1.5;
  }
  .message {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    overflow-wrap: anywhere;
  }
  .message > span:not(.codicon) {
    min-inline-size: 0;
  }
  .notes {
    display: grid;
    gap: 2px;
    max-inline-size: 100ch;
  }
  .screen {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 10px;
    padding: 24px;
    min-block-size: 100%;
    text-align: center;
    line-height: 1.5;
  }
  .screen > .codicon {
    font-size: 28px;
  }
  .screen p {
    max-inline-size: 64ch;
    overflow-wrap: anywhere;
  }
  .screen .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 6px;
  }
  @container (min-width: 1560px) {
    .page {
      grid-template-columns: 360px minmax(0, 1fr);
    }
    .charts {
      grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
      gap: 18px 28px;
    }
    .charts > :only-child {
      grid-column: 1 / -1;
    }
  }
  @container (max-width: 420px) {
    .totals {
      gap: 10px 24px;
    }
  }
  @container (max-width: 859px) {
    .page {
      grid-template-columns: minmax(0, 1fr);
      padding-inline: 10px;
    }
    .side {
      position: static;
      max-block-size: none;
      overflow: visible;
      padding-block-end: 0;
    }
  }
`;
