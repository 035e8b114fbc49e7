import { css } from "lit";

export const pagerStyles = css`
  .pager {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 6px;
  }
  .pager .range {
    font-variant-numeric: tabular-nums;
    color: var(--vscode-descriptionForeground);
    padding-inline: 4px;
  }
`;
