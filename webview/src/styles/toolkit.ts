import { css } from "lit";

/**
 * Maps the toolkit's own properties to theme variables on its elements. The toolkit would copy colours by script when the window loads and when
 * body's class changes, and miss every other change; set here, they follow the theme by themselves.
 */
export const toolkitTheme = css`
  vscode-button,
  vscode-text-field,
  vscode-dropdown,
  vscode-option,
  vscode-panels,
  vscode-panel-tab,
  vscode-panel-view {
    --background: var(--vscode-editor-background);
    --foreground: var(--vscode-foreground);
    --font-family: var(--vscode-font-family);
    --font-weight: var(--vscode-font-weight);
    --type-ramp-base-font-size: var(--vscode-font-size);
    --focus-border: var(--vscode-focusBorder);
    --contrast-border: var(--vscode-contrastBorder, transparent);
    --contrast-active-border: var(--vscode-contrastActiveBorder, transparent);
    --button-border: var(--vscode-button-border, transparent);
    --button-primary-background: var(--vscode-button-background);
    --button-primary-foreground: var(--vscode-button-foreground);
    --button-primary-hover-background: var(--vscode-button-hoverBackground, var(--vscode-button-background));
    --button-secondary-background: var(--vscode-button-secondaryBackground, transparent);
    --button-secondary-foreground: var(--vscode-button-secondaryForeground, var(--vscode-foreground));
    --button-secondary-hover-background: var(
      --vscode-button-secondaryHoverBackground,
      var(--vscode-toolbar-hoverBackground, transparent)
    );
    --button-icon-hover-background: var(--vscode-toolbar-hoverBackground, transparent);
    --dropdown-background: var(--vscode-dropdown-background);
    --dropdown-border: var(--vscode-dropdown-border, transparent);
    --dropdown-foreground: var(--vscode-dropdown-foreground, var(--vscode-foreground));
    --input-background: var(--vscode-input-background);
    --input-foreground: var(--vscode-input-foreground);
    --input-placeholder-foreground: var(--vscode-input-placeholderForeground);
    --list-active-selection-background: var(--vscode-list-activeSelectionBackground, transparent);
    --list-active-selection-foreground: var(--vscode-list-activeSelectionForeground, var(--vscode-foreground));
    --list-hover-background: var(--vscode-list-hoverBackground, transparent);
    --panel-tab-active-border: var(--vscode-focusBorder);
    --panel-tab-active-foreground: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
    --panel-tab-foreground: var(--vscode-panelTitle-inactiveForeground, var(--vscode-foreground));
    --panel-view-background: transparent;
    --panel-view-border: transparent;
  }
  vscode-text-field {
    --dropdown-border: var(--vscode-input-border, transparent);
  }
  /* The toolkit stopped before VS Code's newer shape; sizes are those of 1.139, with the older radius where the variable is missing. */
  vscode-button,
  vscode-dropdown,
  vscode-text-field::part(root),
  vscode-dropdown::part(control),
  vscode-dropdown::part(listbox) {
    border-radius: var(--vscode-cornerRadius-small, 2px);
  }
  vscode-button::part(control) {
    padding: 4px 8px;
    line-height: 16px;
    font-size: 12px;
    white-space: nowrap;
  }
  vscode-button[appearance="icon"]::part(control) {
    padding: 3px;
  }
  vscode-option {
    padding: 2px 8px;
    border: 0;
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
  vscode-option[aria-selected="true"] {
    outline-color: var(--vscode-contrastActiveBorder, transparent);
  }
  /* Without its probe (see components/toolkit.ts) the toolkit marks focus by pointer too. */
  vscode-panel-tab:focus:not(:focus-visible) {
    border-color: transparent;
  }
  vscode-button::part(control):focus:not(:focus-visible) {
    outline: none;
  }
  vscode-dropdown::part(listbox) {
    padding: 2px;
    min-inline-size: 100%;
    inline-size: max-content;
    max-inline-size: 280px;
    z-index: 3;
  }
`;
