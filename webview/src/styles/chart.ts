import { css } from "lit";

export const chartStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  .readout {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
    min-block-size: 1.4em;
    margin-block-end: 4px;
    font-variant-numeric: tabular-nums;
  }
  .swatch {
    inline-size: 11px;
    block-size: 11px;
    border: 1px solid var(--vscode-charts-blue);
  }
  .swatch.total {
    background: var(--vscode-charts-blue);
  }
  .swatch.cached {
    background: repeating-linear-gradient(-45deg, var(--vscode-charts-blue) 0 1px, transparent 1px 4px);
  }
  .plot {
    inline-size: 100%;
    overflow: hidden;
    line-height: 0;
    touch-action: pan-y;
  }
  svg {
    font-family: var(--vscode-font-family);
    font-size: 11px;
  }
  .axis {
    fill: var(--vscode-descriptionForeground);
    font-variant-numeric: tabular-nums;
  }
  .end {
    text-anchor: end;
  }
  .mark {
    stroke: var(--vscode-panel-border, var(--vscode-contrastBorder, var(--vscode-descriptionForeground)));
    stroke-width: 1;
    opacity: 0.7;
  }
  .total {
    fill: var(--vscode-charts-blue);
  }
  /* The hatch stands on the page's own ground, not on the solid tone below it. */
  .ground {
    fill: var(--vscode-editor-background);
  }
  .cached {
    fill: url(#hatch);
    stroke: var(--vscode-charts-blue);
    stroke-width: 1;
  }
  .hatch {
    stroke: var(--vscode-charts-blue);
    stroke-width: 1.4;
  }
  .limit {
    stroke: var(--vscode-charts-red, var(--vscode-foreground));
    stroke-width: 1;
    stroke-dasharray: 6 3;
  }
  .halo {
    paint-order: stroke;
    stroke: var(--vscode-editor-background);
    stroke-width: 3px;
  }
  .tick {
    stroke: var(--vscode-foreground);
    stroke-width: 1;
    stroke-dasharray: 3 2;
  }
  .flag {
    fill: var(--vscode-foreground);
  }
  .cursor {
    stroke: var(--vscode-focusBorder, var(--vscode-foreground));
    stroke-width: 1;
  }
`;
