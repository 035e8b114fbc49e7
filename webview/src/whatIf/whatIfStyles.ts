import { css } from "lit";

/** Native inputs as VS Code draws its own; the toolkit has neither sliders nor compact fields. */
export const controlStyles = css`
  input,
  select {
    font: inherit;
    color: inherit;
  }
  input[type="text"],
  select {
    block-size: 24px;
    padding: 2px 6px;
    border: 1px solid var(--vscode-input-border, transparent);
    border-radius: var(--vscode-cornerRadius-small, 2px);
    background: var(--vscode-input-background);
    color: var(--vscode-input-foreground);
    min-inline-size: 0;
  }
  select {
    border-color: var(--vscode-dropdown-border, transparent);
    background: var(--vscode-dropdown-background);
    color: var(--vscode-dropdown-foreground, var(--vscode-foreground));
    max-inline-size: 100%;
    text-overflow: ellipsis;
  }
  input[type="text"]::placeholder {
    color: var(--vscode-input-placeholderForeground);
    opacity: 1;
  }
  input[type="text"]:focus,
  select:focus {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  input[aria-invalid="true"] {
    border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-editorError-foreground));
  }
  .invalid {
    color: var(--vscode-editorError-foreground);
  }
  input[type="checkbox"] {
    appearance: none;
    position: relative;
    flex: none;
    inline-size: 18px;
    block-size: 18px;
    margin: 0;
    border: 1px solid var(--vscode-checkbox-border, var(--vscode-foreground));
    border-radius: var(--vscode-cornerRadius-small, 3px);
    background: var(--vscode-checkbox-background, transparent);
    color: var(--vscode-checkbox-foreground, var(--vscode-foreground));
    cursor: pointer;
  }
  input[type="checkbox"]:checked::before {
    content: "\\eab2";
    position: absolute;
    inset: 0;
    font: normal 16px/16px codicon;
    text-align: center;
  }
  input[type="checkbox"]:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: 1px;
  }
  input[type="range"] {
    appearance: none;
    inline-size: 100%;
    block-size: 18px;
    margin: 0;
    background: transparent;
    cursor: pointer;
  }
  input[type="range"]::-webkit-slider-runnable-track {
    block-size: 4px;
    border-radius: 2px;
    background: linear-gradient(
      to right,
      var(--vscode-progressBar-background) var(--done, 0%),
      var(--vscode-scrollbarSlider-background) var(--done, 0%)
    );
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
  input[type="range"]::-webkit-slider-thumb {
    appearance: none;
    inline-size: 14px;
    block-size: 14px;
    margin-block-start: -5px;
    border: 2px solid var(--vscode-editor-background);
    border-radius: 50%;
    background: var(--vscode-progressBar-background);
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
  input[type="range"].unset::-webkit-slider-thumb {
    background: var(--vscode-descriptionForeground);
  }
  input[type="range"]:focus-visible {
    outline: none;
  }
  input[type="range"]:focus-visible::-webkit-slider-thumb {
    outline: 1px solid var(--vscode-focusBorder);
  }
  input:disabled,
  select:disabled {
    opacity: 0.5;
    cursor: default;
  }
`;

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

export const panelStyles = css`
  :host {
    display: block;
    container-type: inline-size;
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
    gap: 0 24px;
    padding: 12px 16px 24px;
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
  .side {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
  }
  .main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 22px;
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
  }
  @container (max-width: 420px) {
    .totals {
      gap: 10px 24px;
    }
  }
  @container (max-width: 859px) {
    .page {
      grid-template-columns: minmax(0, 1fr);
      gap: 18px;
      padding-inline: 10px;
    }
  }
`;

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
  .link {
    all: unset;
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
  }
  .link:hover {
    text-decoration: underline;
  }
  .link:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
  }
`;
