/** A stand-in for VS Code: theme variables, `acquireVsCodeApi`, and a host that answers from recordings. Query: ?state=…&theme=… */
import { findHits } from "../../extension/src/core/transcript/search";
import type { CallName, Calls, FullState, HostFrame, PageFrame } from "../../extension/src/protocol/webview";
import { detailFor, overviewFor, RECORDINGS, type RecordingName, recording } from "./recordings";
import record from "./themes.json";

export interface Harness {
  /** Everything the page posted. */
  readonly frames: readonly PageFrame[];
  /** Content security violations, as "directive source". */
  readonly violations: readonly string[];
  send(frame: unknown): void;
  setTheme(name: string): void;
}

declare global {
  interface Window {
    harness: Harness;
    acquireVsCodeApi: () => {
      postMessage(frame: PageFrame): void;
      getState(): unknown;
      setState(state: unknown): void;
    };
  }
}

const STATE_KEY = "page-state";
const query = new URLSearchParams(location.search);
const name: RecordingName = RECORDINGS.find((candidate) => candidate === query.get("state")) ?? "sample";
const frames: PageFrame[] = [];
const violations: string[] = [];
let state: FullState = recording(name);

document.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.sourceFile}:${event.lineNumber} ${event.sample}`);
});

function send(frame: unknown): void {
  window.postMessage(frame, "*");
}

function setTheme(theme: string): void {
  const found =
    Object.entries(record.themes).find(([candidate]) => candidate === theme)?.[1] ?? record.themes["dark-modern"];
  const root = document.documentElement.style;
  for (const token of record.used) {
    root.removeProperty(token);
  }
  for (const [token, value] of Object.entries(found.variables)) {
    root.setProperty(token, value);
  }
  document.body.className = found.classes.join(" ");
  document.body.dataset["vscodeThemeKind"] = found.kind;
}

function answer(method: CallName, body: unknown): unknown {
  switch (method) {
    case "ready":
      return state;
    case "overview":
      return overviewFor(state, (body as { readonly thread: string | null }).thread);
    case "search": {
      const { search, query } = body as Calls["search"]["in"];
      const hits = state.rows.flatMap((row) => {
        const text = detailFor(state, row.index)?.text ?? "";
        const found = findHits(
          text,
          new RegExp(query.regex ? query.text : query.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi"),
        );
        return found.count === 0 || row.index % 3 === 2 ? [] : [{ index: row.index, ...found }];
      });
      const total = state.rows.length;
      const progress = { searched: total, total, slow: 0, unreadable: 0 };
      send({ v: 1, t: "event", e: "search/hits", body: { search, hits, progress } });
      return { end: "done" };
    }
    case "detail":
      return detailFor(state, (body as { readonly index: number }).index);
    case "openFull":
    case "reveal":
      return { opened: true };
    case "copy":
      return { copied: true };
    case "rebase":
      return { changed: false };
    case "cancelReading":
      state = { ...state, phase: "cancelled" };
      send({
        v: 1,
        t: "event",
        e: "state/phase",
        body: { phase: "cancelled", error: null, header: null, problemsOmitted: 0 },
      });
      return {};
    case "reload":
      state = recording(name);
      send({ v: 1, t: "event", e: "state/full", body: state });
      return {};
  }
}

function receive(frame: PageFrame): void {
  frames.push(frame);
  if (frame.t !== "call" || name === "silent") {
    return;
  }
  const { id } = frame;
  const body = answer(frame.m, frame.body);
  const reply: HostFrame =
    name === "refused"
      ? { v: 1, id, t: "err", code: "failed", message: "the host is not ready. Close the editor and open it again." }
      : body === null
        ? { v: 1, id, t: "err", code: "not-found", message: "no such result." }
        : { v: 1, id, t: "ok", body };
  send(reply);
}

window.harness = { frames, violations, send, setTheme };
window.acquireVsCodeApi = () => ({
  postMessage: receive,
  getState: () => JSON.parse(sessionStorage.getItem(STATE_KEY) ?? "null"),
  setState: (value) => sessionStorage.setItem(STATE_KEY, JSON.stringify(value)),
});
setTheme(query.get("theme") ?? "dark-modern");
