import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { NO_FILTER } from "../../extension/src/core/model/rowQuery";
import { recordedRows, recording, threadFor } from "../../webview/dev/recordings";
import { drawn, send, useDevPage } from "./devPage";

const dev = useDevPage();

const threadMenu = "cbi-filter-bar vscode-dropdown[aria-label='Thread']";

describe("a thread that the tree opens", () => {
  test("is what the menu of threads shows, whether or not its rows are known", async () => {
    const page = await dev.open("sample");
    const threads = [...new Set(recordedRows("sample").map((row) => row.thread))];
    const known = threads.at(-1) ?? "";
    await send(page, "state/append", {
      header: null,
      threads: ["t2", ...threads].map((id) => threadFor({ id, title: `Title of ${id}`, kind: "main" })),
      rows: { revision: 1, count: recordedRows("sample").length },
      problems: [],
      progress: { doneBytes: 1, totalBytes: 1 },
    });
    for (const thread of ["t2", known]) {
      await send(page, "select/thread", { thread });
      await drawn(page);
      const shown = await page.locator(threadMenu).evaluate((menu) => ({
        value: (menu as HTMLElement & { value: string }).value,
        text: menu.shadowRoot?.querySelector(".selected-value")?.textContent?.trim(),
      }));
      expect(shown.value).toBe(`=${thread}`);
      expect(shown.text).toContain(`Title of ${thread}`);
    }
    expect(NO_FILTER.threads).toBeNull();
    await page.context().close();
  });
});

describe("the figures of the header", () => {
  const NAMES = [
    ["a", "main"],
    ["b", "main"],
    ["c", "main"],
    ["d", "subagent"],
    ["e", "sidechain"],
  ] as const;

  const open = async (ids: string): Promise<Page> => {
    const page = await dev.open("empty");
    await send(page, "state/full", {
      ...recording("empty"),
      header: recording("sample").header,
      threads: NAMES.filter(([id]) => ids.includes(id)).map(([id, kind], at) =>
        threadFor({ id, title: `Title ${id}`, kind }, { calls: 11 + at, measuredTokens: id === "b" ? 20_480 : null }),
      ),
    });
    await drawn(page);
    return page;
  };
  const header = async (page: Page) => {
    await drawn(page);
    return page.locator("cbi-transcript-header").evaluate((element) => {
      const root = element.shadowRoot;
      const text = (node: Element | null | undefined): string => (node?.textContent ?? "").replace(/\s+/g, " ").trim();
      const figures = [...(root?.querySelectorAll(".totals > div") ?? [])];
      return {
        model: text(root?.querySelector(".title > .quiet")).split(" · ").at(-1),
        covers: text(root?.querySelector("#covers")),
        button: text(root?.querySelector(".covers button")),
        described: text(root?.getElementById(root.querySelector("dl")?.getAttribute("aria-describedby") ?? "")),
        figures: Object.fromEntries(
          figures.map((one) => [text(one.querySelector("dt")), text(one.querySelector("dd"))]),
        ),
        bar: root?.querySelector("cbi-composition-bar")?.shadowRoot?.querySelector("ul")?.getAttribute("aria-label"),
      };
    });
  };

  test.each([
    ["a", ""],
    ["abc", "All 3 sessions together."],
    ["abcde", "All 3 sessions together. Results, what was kept out and calls also of 2 sub-agents."],
    ["ad", "Context of the main thread only. Results, what was kept out and calls also of 1 sub-agent."],
    ["de", "Context of the first thread only. Results, what was kept out and calls also of 1 sub-agent."],
  ])("of the threads %s say what they cover", async (ids, covers) => {
    const page = await open(ids);
    const shown = await header(page);
    expect(shown).toMatchObject({ covers, described: covers, button: "" });
    const sample = recording("sample").header;
    expect(shown.figures["Text in context"]).toContain(sample?.chars.toLocaleString("en"));
    expect(shown.figures["Context now"]?.includes("of the last session")).toBe(ids.startsWith("abc"));
    expect(shown.bar?.includes("all 3 sessions")).toBe(ids.startsWith("abc"));
    await page.context().close();
  });

  test("are those of the thread that is chosen, and say so; one click shows all again", async () => {
    const page = await open("abcd");
    await send(page, "select/thread", { thread: "b" });
    expect(await header(page)).toEqual({
      model: "claude-haiku-4",
      covers: "Only this session, without sub-agents: Title b",
      described: "Only this session, without sub-agents: Title b",
      button: "Show all",
      figures: {
        // Its own window is not known.
        "Context now": "20,480 tok",
        "Text in context": "76,800 chars · ≈ 19.2k tok",
        "Tool results": "7",
        Persisted: "2 · 29% of results",
        "Kept out": "51,200 chars · 40% of text",
        Calls: "12",
      },
      bar: "What the context is made of",
    });
    await send(page, "select/thread", { thread: "d" });
    const agent = await header(page);
    expect(agent.covers).toBe("Only this sub-agent: Title d");
    expect(agent.figures["Context now"]).toBe("–");
    await page.locator("cbi-transcript-header .covers button").click();
    expect(await header(page)).toMatchObject({
      covers: "All 3 sessions together. Results, what was kept out and calls also of 1 sub-agent.",
      button: "",
    });
    await page.context().close();
  });

  test("of one thread among sub-agents are measured against its own window", async () => {
    const page = await dev.open("sample");
    expect((await header(page)).covers).toMatch(/^Context of the main thread only\./);
    for (const [thread, covers, measured, model] of [
      ["main", "Only the main thread, without sub-agents: room-42", "193,204 tok · 19% of 1M", "claude-opus-4"],
      ["sub-1", "Only this sub-agent: research agent", "20,480 tok · 10% of 200k", "claude-haiku-4"],
    ] as const) {
      await send(page, "select/thread", { thread });
      const shown = await header(page);
      expect(shown.covers).toBe(covers);
      expect(shown.figures["Context now"]).toBe(measured);
      expect(shown.model).toBe(model);
    }
    await page.context().close();
  });
});

describe("the overview of several threads", () => {
  test("draws the thread that the filter keeps to, and a click on one chooses it for all that is shown", async () => {
    const page = await dev.open("sample");
    const shown = async (): Promise<readonly (string | undefined)[]> => {
      await drawn(page);
      const pressed = await page.locator("cbi-overview [aria-pressed=true]").textContent();
      return [pressed?.trim(), (await page.locator("#covers").textContent()) ?? undefined];
    };
    const whole = "Context of the main thread only. Results, what was kept out and calls also of 1 sub-agent.";
    await page.locator("#tab-overview").click();
    const another = page.locator("cbi-overview [aria-pressed=false]");
    expect(await shown()).toEqual(["room-42", whole]);
    await another.click();
    expect(await shown()).toEqual(["research agent", "Only this sub-agent: research agent"]);
    await send(page, "select/thread", { thread: "main" });
    expect(await shown()).toEqual(["room-42", "Only the main thread, without sub-agents: room-42"]);
    await another.click();
    expect(await shown()).toEqual(["research agent", "Only this sub-agent: research agent"]);
    await page.context().close();
  });

  test("has the context of each, and says whose the rest is", async () => {
    const page = await dev.open("sample");
    await page.locator("#tab-overview").click();
    await drawn(page);
    const overview = page.locator("cbi-overview");
    const rows = await overview.locator("section", { hasText: "Cache write" }).locator("tr").allInnerTexts();
    const cells = rows.map((row) => row.split("\t").map((cell) => cell.trim()));
    expect(cells[0]?.slice(1, 5)).toEqual(["Context", "Chars", "Calls", "Messages"]);
    expect(cells.slice(1).map((row) => row.slice(1, 5))).toEqual([
      ["193,204", "76,800", "64", "118"],
      ["20,480", "76,800", "6", "22"],
    ]);
    const heads = (await overview.locator("h2").allInnerTexts()).map((head) => head.replace(/\s+/g, " "));
    expect(heads.find((head) => head.startsWith("Compactions"))).toContain("room-42");
    expect(heads.find((head) => head.startsWith("Usage records"))).toContain("of all 2 threads");
    await page.context().close();
  });
});
