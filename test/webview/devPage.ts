import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import type { CallName, EventName, Events } from "../../extension/src/protocol/webview";
import type { Harness } from "../../webview/dev/harness";
import type { RecordingName } from "../../webview/dev/recordings";
import { serveDevPage } from "../../webview/dev/serve.mjs";
import { launchBrowser } from "../host/browser.mjs";

export const THEME_NAMES = ["dark-modern", "light-modern", "high-contrast", "high-contrast-light"] as const;

export interface OpenOptions {
  readonly theme?: (typeof THEME_NAMES)[number];
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
}

export interface DevPage {
  /** A fresh browser profile with the page in the named state, drawn. */
  open(state: RecordingName, options?: OpenOptions): Promise<Page>;
}

interface Running {
  readonly browser: Browser;
  readonly origin: string;
}

/** One browser and one built page for all test files of a process; both end with it. */
let running: Promise<Running> | undefined;

async function start(): Promise<Running> {
  const [{ origin }, browser] = await Promise.all([serveDevPage({ cache: true }), launchBrowser()]);
  return { browser, origin };
}

/** The dev page for a test file; pages that are still open at its end are closed. */
export function useDevPage(): DevPage {
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    running ??= start();
    ({ browser, origin } = await running);
  });
  afterAll(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return {
    open: async (state, { theme = "dark-modern", width = 1400, height = 860, reducedMotion = false } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        reducedMotion: reducedMotion ? "reduce" : "no-preference",
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => expect.unreachable(`the page threw: ${error.stack ?? error.message}`));
      await page.goto(`${origin}/?state=${state}&theme=${theme}`);
      await page.locator("context-budget-inspector").locator("h1, .screen").first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      await drawn(page);
      return page;
    },
  };
}

/** Waits until two frames have been drawn, so that what was set has been laid out. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );
}

export async function calls(page: Page, method: CallName): Promise<unknown[]> {
  const frames: Harness["frames"] = await page.evaluate(() => window.harness.frames);
  return frames.flatMap((frame) => (frame.t === "call" && frame.m === method ? [frame.body] : []));
}

export async function send<E extends EventName>(page: Page, e: E, body: Events[E]): Promise<void> {
  await page.evaluate((frame) => window.harness.send(frame), { v: 1, t: "event", e, body });
  await drawn(page);
}

/** Rows come or change in the host, which tells so. */
export async function setRows(
  page: Page,
  rows: readonly ResultRow[],
  event: "state/append" | "state/update" | "rows/changed" = "rows/changed",
): Promise<void> {
  const common = { header: null, threads: [], problems: [] };
  const body =
    event === "state/append"
      ? { ...common, progress: { doneBytes: 60_000_000, totalBytes: 104_857_600 } }
      : { ...common, problemsOmitted: 0 };
  await page.evaluate(([list, name, more]) => window.harness.setRows(list, name, more), [rows, event, body] as const);
  await drawn(page);
  await drawn(page);
}

/** Place in the table of the focused row; null when the focus is elsewhere. */
export function focusedPlace(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) {
      active = active.shadowRoot.activeElement;
    }
    const place = active instanceof HTMLElement ? active.dataset["place"] : undefined;
    return place === undefined ? null : Number(place);
  });
}

/** All text of the page that is laid out, also inside shadow roots, in document order. */
export function shownText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const visit = (node: Node): void => {
      if (node instanceof Text) {
        texts.push(node.data);
      } else if (
        node instanceof Element &&
        (node.tagName === "STYLE" || node.tagName === "SCRIPT" || !node.checkVisibility())
      ) {
        return;
      }
      for (const child of (node instanceof Element ? (node.shadowRoot ?? node) : node).childNodes) {
        visit(child);
      }
      if (node instanceof Element && node.shadowRoot) {
        for (const child of node.childNodes) {
          visit(child);
        }
      }
    };
    visit(document.body);
    return texts.join(" ").replace(/\s+/g, " ");
  });
}
