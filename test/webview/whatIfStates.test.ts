import { describe, expect, test } from "vitest";
import { calls, drawn, shownText, useDevPage } from "./devPage";
import { field, whatIfOf } from "./whatIfDev";

const dev = useDevPage();
const ready = whatIfOf(dev);

describe("states and sizes", () => {
  test("a thread without calls, or without results, says so", async () => {
    const page = await dev.open("sample");
    await page.evaluate(() => window.harness.setWhatIfFacts({ calls: 0 }));
    await page.locator("#tab-whatIf").click();
    await page.locator("cbi-what-if .screen", { hasText: "holds no call to the model" }).waitFor();
    await page.locator("cbi-what-if .screen vscode-button").click();
    expect(await calls(page, "reveal")).toEqual([{ line: 1 }]);
    await page.context().close();
    const empty = await ready("empty");
    expect(await shownText(empty)).toContain("This thread holds no tool result");
    expect(await empty.locator("cbi-threshold-curve").count()).toBe(0);
    await empty.context().close();
  });

  test.each([
    ["one thread", [0], "Open a transcript of an agent"],
    ["threads without calls", [0, 0], "Open a transcript of an agent"],
    ["another thread with calls", [0, 7], "Choose a thread in which"],
  ] as const)("what to do without calls, with %s", async (_, calls, hint) => {
    const page = await dev.open("sample");
    const threads = calls.map((count, at) => ({
      id: at === 0 ? "main" : "other",
      title: "T",
      calls: count,
      results: 0,
    }));
    await page.evaluate((facts) => window.harness.setWhatIfFacts(facts as never), {
      calls: 0,
      thread: "main",
      threads,
    });
    await page.locator("#tab-whatIf").click();
    const screen = page.locator("cbi-what-if .screen", { hasText: "holds no call to the model" });
    await screen.waitFor();
    expect(await screen.textContent()).toContain(hint);
    await page.context().close();
  });

  test("a host that refuses is quoted, with what to do next", async () => {
    const page = await dev.open("sample");
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfOpen"]));
    await page.locator("#tab-whatIf").click();
    await page.evaluate(() => {
      const asked = window.harness.frames.findLast((frame) => frame.t === "call" && frame.m === "whatIfOpen");
      const message = "the file is gone.";
      window.harness.send({ v: 1, id: asked?.id, t: "err", code: "failed", message });
      window.harness.holdWhatIf([]);
    });
    await page
      .locator("cbi-what-if [role=alert]", { hasText: "The thread could not be read: the file is gone." })
      .waitFor();
    await page.locator("cbi-what-if vscode-button", { hasText: "Try again" }).click();
    await page.locator("cbi-what-if .totals").waitFor();
    await page.context().close();
  });

  test("what a transcript calls its threads and tools is text, whatever it holds", async () => {
    const page = await ready("hostile");
    await field(page, "Threshold").fill("1");
    await page.keyboard.press("Enter");
    await page.locator("cbi-affected-table .row .tool", { hasText: "onerror" }).first().waitFor();
    expect(await page.title()).not.toContain("pwned");
    expect(await page.locator("cbi-what-if img, cbi-what-if script").count()).toBe(0);
    await page.context().close();
  });

  test.each([320, 400, 700, 1000, 2000])("nothing is cut or runs over at %d pixels", async (width) => {
    const page = await ready("sample", { width });
    await page.locator("cbi-menu-button", { hasText: "Add policy" }).locator("button").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.locator("cbi-policy-card .disclose").last().click();
    await page.locator("cbi-assumptions-card .disclose").click();
    await drawn(page);
    const over = await page.locator("cbi-what-if").evaluate((panel) => {
      const limit = panel.getBoundingClientRect().right + 0.5;
      const found: string[] = [];
      const visit = (root: ShadowRoot): void => {
        for (const element of root.querySelectorAll("*")) {
          const box = element.getBoundingClientRect();
          const hidden = element.closest(".scroll, .hidden-text, [hidden], svg, option, cbi-affected-table");
          if (box.width > 0 && box.right > limit && hidden === null) {
            found.push(`${element.tagName}.${element.className} ${Math.round(box.right)}`);
          }
          if (element.shadowRoot !== null) visit(element.shadowRoot);
        }
      };
      if (panel.shadowRoot !== null) visit(panel.shadowRoot);
      return { found, scrolls: panel.scrollWidth > panel.clientWidth };
    });
    expect(over).toEqual({ found: [], scrolls: false });
    await page.context().close();
  });

  test("without motion the line over the page does not run", async () => {
    const page = await ready("sample", { reducedMotion: true });
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfRun"]));
    await field(page, "Threshold").fill("9000");
    await page.keyboard.press("Enter");
    const bar = page.locator("cbi-what-if .busy > div");
    await bar.waitFor({ state: "attached" });
    expect(await bar.evaluate((element) => getComputedStyle(element).animationName)).toBe("none");
    await page.context().close();
  });
});
