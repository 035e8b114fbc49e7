import { css } from "lit";
import { codicons } from "./codicons";
import { toolkitTheme } from "./toolkit";

/** The page outside our elements. VS Code pads the body of every webview; a full-height layout has its own edges. */
export const pageStyles = css`
  html,
  body {
    height: 100%;
    margin: 0;
    padding: 0;
    overflow: hidden;
    background: var(--vscode-editor-background);
    color: var(--vscode-foreground);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size);
    scrollbar-color: var(--vscode-scrollbarSlider-background) transparent;
  }
`;

const shared = css`
  :host {
    box-sizing: border-box;
    color: var(--vscode-foreground);
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  dl,
  dd,
  dt,
  ul {
    margin: 0;
    padding: 0;
    font-weight: inherit;
    font-size: inherit;
  }
  ul {
    list-style: none;
  }
  .quiet {
    color: var(--vscode-descriptionForeground);
  }
  .number {
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  .mono {
    font-family: var(--vscode-editor-font-family);
    font-size: var(--vscode-editor-font-size);
  }
  .hidden-text {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .middle {
    display: flex;
    inline-size: 100%;
    min-inline-size: 0;
    overflow: hidden;
    white-space: pre;
    unicode-bidi: isolate;
    direction: ltr;
  }
  .middle > span {
    overflow: hidden;
    text-overflow: ellipsis;
    min-inline-size: 0;
  }
  .middle > .head {
    flex: 0 1 auto;
  }
  /* Set from the right, so that the ellipsis stands before what is left when even this part is too long. */
  .middle > .tail {
    flex: none;
    max-inline-size: 100%;
    direction: rtl;
  }
  .middle bdi {
    direction: ltr;
  }
  .badge {
    display: inline-block;
    min-inline-size: 18px;
    padding: 0 5px;
    border-radius: 9px;
    font-size: 11px;
    line-height: 18px;
    text-align: center;
    font-variant-numeric: tabular-nums;
    background: var(--vscode-badge-background);
    color: var(--vscode-badge-foreground);
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .with-icon {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    min-inline-size: 0;
  }
  .link {
    all: unset;
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
    font-variant-numeric: tabular-nums;
  }
  .link:hover {
    text-decoration: underline;
  }
  :focus-visible,
  .link:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
  :host-context(body.vscode-reduce-motion) *,
  :host-context(body.vscode-reduce-motion) *::before,
  :host-context(body.vscode-reduce-motion) *::after {
    animation: none !important;
    transition: none !important;
  }
`;

/** What every component starts from. */
export const baseStyles = [shared, codicons, toolkitTheme];
