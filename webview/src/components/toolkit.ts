import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";

/**
 * Registers the toolkit's elements that `controls/` wraps. Once, from the entry script: elsewhere no toolkit import is allowed.
 * On import the toolkit probes for `:focus-visible` with an empty style element. The page's security policy blocks it, which the console reports
 * once; the toolkit then uses `:focus`, and styles/toolkit.ts takes the mark away again where the pointer set the focus.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeTextField(),
  );
}
