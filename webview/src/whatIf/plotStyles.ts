import { css } from "lit";

/** Both charts and the tables behind them. */
export const plotStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  /* What uPlot's own markup needs; its stylesheet is a file that the page's security policy would have to allow. */
  .canvas {
    position: absolute;
    overflow: hidden;
  }
  .canvas .u-wrap {
    position: relative;
  }
  .canvas .u-over,
  .canvas .u-under {
    position: absolute;
    pointer-events: none;
  }
  .canvas canvas {
    display: block;
    inline-size: 100%;
    block-size: 100%;
  }
  .canvas .u-legend,
  .canvas .u-select,
  .canvas .u-axis {
    display: none;
  }
  .readout {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
    min-block-size: 1.4em;
    margin-block: 2px 4px;
    font-variant-numeric: tabular-nums;
  }
  .plot {
    position: relative;
    inline-size: 100%;
    line-height: 0;
    touch-action: pan-y;
    cursor: crosshair;
  }
  .plot > svg {
    position: relative;
    display: block;
    overflow: visible;
  }
  svg {
    font-family: var(--vscode-font-family);
    font-size: 11px;
  }
  .axis {
    fill: var(--vscode-descriptionForeground);
    font-variant-numeric: tabular-nums;
  }
  .strong {
    fill: var(--vscode-foreground);
  }
  .halo {
    paint-order: stroke;
    stroke: var(--vscode-editor-background);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  .end {
    text-anchor: end;
  }
  .middle {
    text-anchor: middle;
  }
  .grid {
    stroke: var(--vscode-descriptionForeground);
    stroke-width: 1;
    opacity: 0.25;
  }
  .cursor {
    stroke: var(--vscode-focusBorder, var(--vscode-foreground));
    stroke-width: 1;
  }
  .handle {
    fill: var(--vscode-focusBorder, var(--vscode-foreground));
    stroke: var(--vscode-editor-background);
    stroke-width: 2;
  }
  .limit {
    stroke: var(--vscode-charts-red, var(--vscode-foreground));
    stroke-width: 1.25;
    stroke-dasharray: 8 4;
  }
  .compaction {
    stroke: var(--vscode-foreground);
    stroke-width: 1;
    stroke-dasharray: 3 2;
  }
  .flag {
    fill: var(--vscode-foreground);
  }
  .break {
    fill: var(--vscode-charts-red, var(--vscode-foreground));
    stroke: var(--vscode-editor-background);
    stroke-width: 1;
  }
  .named {
    stroke: var(--vscode-foreground);
    stroke-width: 1;
    stroke-dasharray: 2 2;
  }
  .range {
    fill: var(--vscode-charts-purple, var(--vscode-foreground));
  }
  .swatch {
    flex: none;
    inline-size: 14px;
    block-size: 11px;
  }
  .swatch.uncached {
    background: var(--vscode-charts-blue);
    border: 1px solid var(--vscode-charts-blue);
  }
  .swatch.cached {
    border: 1px solid var(--vscode-charts-blue);
    background: repeating-linear-gradient(-45deg, var(--vscode-charts-blue) 0 1px, transparent 1px 4px);
  }
  .swatch.before,
  .swatch.measured {
    block-size: 0;
    border-block-start: 2px solid var(--vscode-foreground);
  }
  .swatch.measured {
    border-block-start: 2px dotted var(--vscode-charts-yellow, var(--vscode-foreground));
  }
  .swatch.compaction {
    inline-size: 0;
    block-size: 12px;
    border-inline-start: 1px dashed var(--vscode-foreground);
  }
  .swatch.break {
    inline-size: 0;
    block-size: 0;
    border-inline: 5px solid transparent;
    border-block-end: 8px solid var(--vscode-charts-red, var(--vscode-foreground));
  }
  .scroll {
    overflow: auto;
    max-block-size: 300px;
    max-inline-size: 100%;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 1px 14px 1px 0;
    font-weight: normal;
    text-align: start;
    white-space: nowrap;
  }
  th.number,
  td.number {
    text-align: end;
  }
  thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    background: var(--vscode-editor-background);
    color: var(--vscode-descriptionForeground);
  }
  tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
`;
