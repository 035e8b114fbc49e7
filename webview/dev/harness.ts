/** A stand-in for VS Code: theme variables, `acquireVsCodeApi`, and a host that answers from recordings. Query: ?state=…&theme=… */

import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import { findHits } from "../../extension/src/core/transcript/search";
import type { CallName, Calls, FullState, HostFrame, PageFrame } from "../../extension/src/protocol/webview";
import type { WhatIfFacts } from "../../extension/src/protocol/whatIf";
import { HandleHost } from "./handleHost";
import {
  detailFor,
  glanceFor,
  overviewFor,
  RECORDINGS,
  type RecordingName,
  recordedRows,
  recording,
  SECRET,
} from "./recordings";
import { RowHost } from "./rowHost";
import record from "./themes.json";
import { WhatIfHost, whatIfThreads } from "./whatIfHost";

export interface Harness {
  /** Everything the page posted. */
  readonly frames: readonly PageFrame[];
  /** Content security violations, as "directive source". */
  readonly violations: readonly string[];
  /** Answers to the call `rows`: how many, rows in them, and their length as JSON in UTF-16 units. */
  readonly crossed: { answers: number; rows: number; chars: number };
  send(frame: unknown): void;
  /** Rows come or change: the page hears of it as the named event, with `body` and the news. */
  setRows(rows: readonly ResultRow[], event: "state/append" | "state/update" | "rows/changed", body: object): void;
  /** While true, calls for rows wait. */
  holdRows(hold: boolean): void;
  /** Calls of these names wait until they are let go, in order; the number of them that wait. */
  holdWhatIf(names: readonly CallName[]): void;
  releaseWhatIf(): number;
  /** What the next opening says of the thread, in place of what was made up. */
  setWhatIfFacts(facts: Partial<WhatIfFacts>): void;
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
let host = new RowHost(recordedRows(name));
const crossed = { answers: 0, rows: 0, chars: 0 };
let held: PageFrame[] | null = null;
const handles = new HandleHost();
const whatIf = new WhatIfHost(whatIfThreads(state.threads, host.rows));
let whatIfNames: readonly CallName[] = [];
let whatIfHeld: PageFrame[] = [];

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
    case "glance":
      return glanceFor(state);
    case "search": {
      const { search, query } = body as Calls["search"]["in"];
      const hits = host.rows.flatMap((row) => {
        const text = detailFor(host.rows, row.index)?.text ?? "";
        const found = findHits(
          text,
          new RegExp(query.regex ? query.text : query.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi"),
        );
        return found.count === 0 || row.index % 3 === 2 ? [] : [{ index: row.index, ...found }];
      });
      const total = host.rows.length;
      host.found(
        search,
        hits.map(({ index }) => index),
      );
      const progress = { searched: total, total, slow: 0, unreadable: 0 };
      send({ v: 1, t: "event", e: "search/hits", body: { search, hits, progress } });
      return { end: "done" };
    }
    case "rows": {
      const rows = host.answer(body as Calls["rows"]["in"]);
      crossed.answers++;
      crossed.rows += rows.rows.length;
      crossed.chars += JSON.stringify(rows).length;
      return rows;
    }
    case "detail":
      return detailFor(host.rows, (body as { readonly index: number }).index);
    case "showOutputSecret":
    case "showSecret":
      return { text: SECRET };
    case "outputPage": {
      const { index, offset } = body as Calls["outputPage"]["in"];
      return handles.page(host.rows[index], offset);
    }
    case "handles":
      return handles.handles(host.rows, body as Calls["handles"]["in"]);
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
      host = new RowHost(recordedRows(name));
      send({ v: 1, t: "event", e: "state/full", body: state });
      return {};
    default:
      return whatIf.answer(method, body);
  }
}

function receive(frame: PageFrame): void {
  frames.push(frame);
  if (frame.t !== "call" || name === "silent") {
    return;
  }
  if (frame.m === "rows" && held !== null) {
    held.push(frame);
    return;
  }
  if (whatIfNames.includes(frame.m)) {
    whatIfHeld.push(frame);
    return;
  }
  reply(frame);
}

function setRows(rows: readonly ResultRow[], e: "state/append" | "state/update" | "rows/changed", body: object): void {
  const news = host.set(rows);
  send({ v: 1, t: "event", e, body: e === "rows/changed" ? news : { ...body, rows: news } });
}

function holdRows(hold: boolean): void {
  const waiting = held ?? [];
  held = hold ? [] : null;
  const cancelled = new Set(frames.flatMap((frame) => (frame.t === "cancel" ? [frame.id] : [])));
  for (const frame of waiting) {
    if (!cancelled.has(frame.id)) {
      reply(frame);
    }
  }
}

function releaseWhatIf(): number {
  const waiting = whatIfHeld;
  const cancelled = new Set(frames.flatMap((frame) => (frame.t === "cancel" ? [frame.id] : [])));
  whatIfHeld = [];
  for (const frame of waiting) {
    if (!cancelled.has(frame.id)) {
      reply(frame);
    }
  }
  return waiting.length;
}

function reply(frame: PageFrame): void {
  if (frame.t !== "call") {
    return;
  }
  const { id } = frame;
  const body = answer(frame.m, frame.body);
  const answered: HostFrame =
    name === "refused"
      ? { v: 1, id, t: "err", code: "failed", message: "the host is not ready. Close the editor and open it again." }
      : body === null
        ? { v: 1, id, t: "err", code: "not-found", message: "no such result." }
        : { v: 1, id, t: "ok", body };
  send(answered);
}

window.harness = {
  frames,
  violations,
  crossed,
  send,
  setRows,
  holdRows,
  holdWhatIf: (names) => {
    whatIfNames = names;
  },
  releaseWhatIf,
  setWhatIfFacts: (facts) => {
    whatIf.facts = facts;
  },
  setTheme,
};
window.acquireVsCodeApi = () => ({
  postMessage: receive,
  getState: () => JSON.parse(sessionStorage.getItem(STATE_KEY) ?? "null"),
  setState: (value) => sessionStorage.setItem(STATE_KEY, JSON.stringify(value)),
});
setTheme(query.get("theme") ?? "dark-modern");
