import type { PageFrame } from "../../extension/src/protocol/webview";
import { Inspector } from "./components/inspector";
import { registerToolkit } from "./components/toolkit";
import type { Transport } from "./rpc";
import { Session, type UiStore } from "./session";
import { pageStyles } from "./styles/base";
import type { UiState } from "./uiState";

interface VsCodeApi {
  postMessage(frame: PageFrame): void;
  getState(): unknown;
  setState(state: UiState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

function start(): void {
  const vscode = acquireVsCodeApi();
  const transport: Transport = {
    post: (frame) => vscode.postMessage(frame),
    listen: (receive) => {
      const onMessage = (event: MessageEvent): void => receive(event.data);
      window.addEventListener("message", onMessage);
      return () => window.removeEventListener("message", onMessage);
    },
  };
  const store: UiStore = { get: () => vscode.getState(), set: (state) => vscode.setState(state) };

  registerToolkit();
  const styles = new CSSStyleSheet();
  styles.replaceSync(pageStyles.cssText);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];

  const page = new Inspector();
  const session = new Session(transport, store, () => {
    page.view = session.view;
  });
  page.actions = session;
  page.view = session.view;
  document.body.append(page);
  window.addEventListener("pagehide", () => session.dispose(), { once: true });
  void session.start();
}

start();
