import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { HOSTILE_TEXT } from "../../webview/dev/recordings";
import { calls, drawn, send, shownText, THEME_NAMES, useDevPage } from "./devPage";

const dev = useDevPage();
const ROW = "[data-place]";

describe("safety", () => {
  test("the strict policy blocks nothing but the toolkit's one probe", async () => {
    for (const state of ["sample", "reading", "error", "empty"] as const) {
      const page = await dev.open(state);
      if (state === "sample") {
        await page.locator(ROW).nth(5).click();
        await page.locator("cbi-detail-pane pre").waitFor();
        await page.locator("#tab-problems").click();
      }
      const violations = await page.evaluate(() => window.harness.violations);
      expect(violations.map((violation) => violation.split(" ")[0])).toEqual(["style-src-elem"]);
      await page.context().close();
    }
  });

  test("markup, escapes and reading-direction marks from a transcript are shown as text", async () => {
    const page = await dev.open("hostile");
    await page.locator(ROW).first().click();
    const preview = page.locator("cbi-detail-pane pre");
    await preview.waitFor();
    expect(await page.title()).toBe("Inspector page, without VS Code");
    expect(await page.locator("img, script:not([nonce])").count()).toBe(0);
    const shown = (await preview.textContent()) ?? "";
    expect(shown).toContain(`<img src=x onerror="document.title='pwned'"><script>`);
    expect(shown).toContain("ESC[31mred");
    expect(HOSTILE_TEXT).toMatch(/[\u001B\u202E\u200B\u0000]/u);
    expect(await shownText(page)).not.toMatch(/[\u001B\u202E\u200B\u0000]/u);
    await page.locator("#tab-problems").click();
    await page.locator("cbi-problems-list li").waitFor();
    const all = await shownText(page);
    expect(all).toContain("<script>");
    expect(all).toContain("‹U+202E›txt.exe");
    expect(all).not.toMatch(/[\u001B\u202E\u200B\u0000]/u);
    await page.context().close();
  });

  test("a message that is not understood is said and changes nothing else", async () => {
    const page = await dev.open("sample");
    await page.evaluate(() => window.harness.send({ v: 1, t: "event", e: "state/full", body: { rows: "no" } }));
    await page.locator(".message[role=alert]").waitFor();
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain("64 of 64");
    await page.locator(".message vscode-button").click();
    expect(await page.locator(".message").count()).toBe(0);
    await page.context().close();
  });
});

describe("states", () => {
  test.each([
    ["empty", "Context per call"],
    ["error", "The transcript could not be opened."],
    ["empty-file", "This file is empty so far."],
    ["refused", "The inspector got no answer from VS Code: the host is not ready."],
    ["cancelled", "Reading was cancelled. The 23 tool results found until then are shown."],
    ["reading", "Reading 30% of 104.9 MB"],
    ["silent", "Opening the transcript…"],
  ] as const)("%s has a sentence", async (state, sentence) => {
    const page = await dev.open(state);
    expect(await shownText(page)).toContain(sentence);
    await page.context().close();
  });

  test("an empty file is no error, and says what happens next", async () => {
    const page = await dev.open("empty-file");
    expect(await page.locator('[role="alert"], .tone-error').count()).toBe(0);
    expect(await shownText(page)).toContain("As soon as an agent writes to it");
    await page.locator(".screen vscode-button").click();
    expect(await calls(page, "reload")).toEqual([{}]);
    await page.context().close();
    // The mark of an error is found where there is one.
    const error = await dev.open("error");
    expect(await error.locator('[role="alert"], .tone-error').count()).toBeGreaterThan(0);
    await error.context().close();
  });

  test("the next action of each state reaches the host", async () => {
    const empty = await dev.open("empty");
    await empty.locator("#tab-results").click();
    expect(await shownText(empty)).toContain("This transcript holds no tool results.");
    await empty.locator(".screen vscode-button").click();
    expect(await calls(empty, "reveal")).toEqual([{ line: 1 }]);
    await empty.context().close();
    const error = await dev.open("error");
    await error.locator(".screen vscode-button", { hasText: "Try again" }).click();
    expect(await calls(error, "reload")).toEqual([{}]);
    await error.context().close();
    const reading = await dev.open("reading");
    await reading.locator("cbi-progress-line vscode-button").click();
    await reading.locator(".message", { hasText: "Reading was cancelled" }).waitFor();
    expect(await calls(reading, "cancelReading")).toEqual([{}]);
    await reading.locator(".message vscode-button", { hasText: "Read from the start" }).click();
    await reading.locator("cbi-progress-line").waitFor();
    await reading.context().close();
  });

  test("nothing moves when reading ends", async () => {
    const page = await dev.open("reading");
    const before = await page.locator('[data-place="0"]').boundingBox();
    await send(page, "state/phase", { phase: "done", error: null, header: null, problemsOmitted: 0 });
    expect(await page.locator("cbi-progress-line").count()).toBe(0);
    expect(await page.locator('[data-place="0"]').boundingBox()).toEqual(before);
    await page.context().close();
  });

  test("a problem opens its line", async () => {
    const page = await dev.open("sample");
    await page.locator("#tab-problems").click();
    await page.locator("cbi-problems-list button").nth(1).click();
    expect(await calls(page, "reveal")).toEqual([{ line: 97 }]);
    await page.context().close();
  });
});

describe("layout and theme", () => {
  test.each(["sample", "reading", "hostile", "error", "empty", "empty-file"] as const)(
    "nothing in %s is wider than the page, from 320 to 2,000 pixels",
    async (state) => {
      const page = await dev.open(state);
      const hasRows = state === "sample" || state === "hostile";
      if (hasRows) {
        await page.locator(ROW).nth(1).click();
        await page.locator("cbi-detail-pane pre").waitFor();
      }
      for (const tab of hasRows ? ["results", "handles", "problems", "overview"] : ["results"]) {
        if (hasRows) {
          await page.locator(`#tab-${tab}`).click();
        }
        for (const width of [320, 400, 700, 1400, 2000]) {
          await page.setViewportSize({ width, height: 860 });
          await drawn(page);
          expect(await overflowing(page), `${tab} at ${width}`).toEqual([]);
        }
      }
      await page.context().close();
    },
  );

  test("a theme change reaches the toolkit's controls at once, without a change of kind", async () => {
    const page = await dev.open("sample");
    const colour = (): Promise<string> =>
      page
        .locator("cbi-filter-bar vscode-text-field")
        .first()
        .evaluate((field) => {
          const root = field.shadowRoot?.querySelector(".root");
          return root ? getComputedStyle(root).backgroundColor : "";
        });
    const before = await colour();
    await page.evaluate(() => document.documentElement.style.setProperty("--vscode-input-background", "rgb(1, 2, 3)"));
    expect(await colour()).toBe("rgb(1, 2, 3)");
    await page.evaluate(() => window.harness.setTheme("light-modern"));
    expect(await colour()).toBe("rgb(255, 255, 255)");
    expect(before).not.toBe("rgb(255, 255, 255)");
    await page.context().close();
  });

  test.each(THEME_NAMES)("the table's head hides the rows that scroll under it in %s", async (theme) => {
    const page = await dev.open("sample", { theme });
    const colour = await page.locator(".head-row").evaluate((head) => getComputedStyle(head).backgroundColor);
    expect(colour).toMatch(/^rgb\(/); // rgba( would let them shine through
    await page.context().close();
  });

  test("motion stops where the system or VS Code asks for it", async () => {
    const duration = (page: Page): Promise<string> =>
      page.locator("[role=separator]").evaluate((sash) => {
        sash.focus();
        return getComputedStyle(sash, "::after").transitionDuration;
      });
    const page = await dev.open("sample");
    expect(await duration(page)).toBe("0.1s");
    await page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
    expect(await duration(page)).toBe("0s");
    await page.context().close();
    const still = await dev.open("sample", { reducedMotion: true });
    expect(await duration(still)).toBe("0s");
    await still.context().close();
  });

  test("numbers stand right-aligned in one column", async () => {
    const page = await dev.open("sample");
    const rights = await page.locator(`${ROW} .cell.chars`).evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return Math.round(range.getBoundingClientRect().right);
      }),
    );
    expect(new Set(rights).size).toBe(1);
    await page.context().close();
  });
});

/** Elements, also inside shadow roots, that a person could scroll sideways or that stick out of the page. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const visit = (root: ParentNode): void => {
      for (const element of root.querySelectorAll("*")) {
        // Tables of numbers scroll in a box of their own.
        if (element.closest(".scroll") !== null) {
          continue;
        }
        const style = getComputedStyle(element);
        const scrolls = style.overflowX === "auto" || style.overflowX === "scroll";
        if (scrolls && element.scrollWidth > element.clientWidth) {
          found.push(`${element.tagName}.${element.className} scrolls sideways`);
        }
        const box = element.getBoundingClientRect();
        const hidden = style.clipPath !== "none" || box.width === 0;
        if (
          !hidden &&
          box.right > window.innerWidth + 0.5 &&
          element.closest(".middle, .ellipsis, h1, .name") === null
        ) {
          found.push(`${element.tagName}.${element.className} ends at ${box.right}`);
        }
        if (element.shadowRoot) {
          visit(element.shadowRoot);
        }
      }
    };
    visit(document);
    if (document.documentElement.scrollWidth > window.innerWidth) {
      found.push("the page scrolls sideways");
    }
    return found;
  });
}
