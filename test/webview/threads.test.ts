import { describe, expect, test } from "vitest";
import { NO_FILTER } from "../../extension/src/core/model/rowQuery";
import { recordedRows, recording } from "../../webview/dev/recordings";
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
      threads: ["t2", ...threads].map((id) => ({ id, title: `Title of ${id}`, kind: "main", calls: 1, messages: 1 })),
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

describe("the header of a file that holds many threads", () => {
  const totals = async (mains: number): Promise<string> => {
    const page = await dev.open("empty");
    const kinds = [...Array.from({ length: mains }, () => "main"), "subagent", "sidechain"];
    await send(page, "state/append", {
      header: recording("sample").header,
      threads: kinds.map((kind, at) => ({
        id: at === 0 ? "main" : `t${at}`,
        title: "T",
        kind,
        calls: 1,
        messages: 1,
      })) as never,
      rows: { revision: 2, count: 0 },
      problems: [],
      progress: { doneBytes: 1, totalBytes: 1 },
    });
    await drawn(page);
    const text = await page.locator("cbi-transcript-header").evaluate((header) => header.shadowRoot?.textContent ?? "");
    await page.context().close();
    return text;
  };

  test("says that its figures are of all of them together", async () => {
    const several = await totals(3);
    expect(several).toContain("All 3 threads together");
    expect(several).toContain("of the last thread");
  });

  test("says nothing of the kind where there is one with its sub-agents", async () => {
    const one = await totals(1);
    expect(one).toContain("Text in context");
    expect(one).not.toMatch(/together|last thread/);
  });
});
