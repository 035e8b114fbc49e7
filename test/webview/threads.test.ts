import { describe, expect, test } from "vitest";
import { NO_FILTER } from "../../extension/src/core/model/rowQuery";
import { recordedRows } from "../../webview/dev/recordings";
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
