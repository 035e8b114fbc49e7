import { css } from "lit";

export const overviewStyles = css`
  :host {
    display: block;
    min-block-size: 0;
    min-inline-size: 0;
    overflow: auto;
  }
  .page {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 18px;
    padding: 12px 16px 24px;
    line-height: 20px;
  }
  .page:focus-visible {
    outline: none;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 12px;
  }
  h2 {
    font-weight: 600;
    margin-block-end: 4px;
    overflow-wrap: anywhere;
  }
  h2 .quiet {
    font-weight: normal;
    margin-inline-start: 6px;
  }
  .scroll {
    overflow: auto;
    max-inline-size: 100%;
  }
  .calls {
    max-block-size: 320px;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 1px 12px 1px 0;
    font-weight: normal;
    text-align: start;
    white-space: nowrap;
  }
  th.number,
  td.number {
    text-align: end;
  }
  tbody th .quiet {
    margin-inline-start: 6px;
  }
  thead th {
    position: sticky;
    inset-block-start: 0;
    background: var(--vscode-editor-background);
    color: var(--vscode-descriptionForeground);
  }
  tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .events li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 12px;
    min-block-size: 22px;
  }
  .events .codicon {
    margin-inline-end: -6px;
  }
  /* A long text breaks beside its icon, not below it. */
  .events .codicon + span {
    flex: 0 1 auto;
    max-inline-size: calc(100% - 22px);
  }
  .events .number {
    text-align: start;
  }
  .lines {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0 10px;
  }
  .link {
    max-inline-size: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .link[aria-pressed="true"] {
    color: var(--vscode-foreground);
    font-weight: 600;
  }
  .tells {
    display: flex;
    flex-wrap: wrap;
    gap: 0 18px;
  }
  .tells li {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
`;
