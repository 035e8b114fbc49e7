import { css } from "lit";

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
