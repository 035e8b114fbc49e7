import type { Frame, Page } from "playwright-core";
import { openFile, webviewFrame } from "../host/workbench.mjs";

/** Opens a transcript in the inspector, clicks its first persisted result, and waits for its detail. Gives the inspector's page. */
export async function openPersisted(window: Page, transcript: string): Promise<Frame> {
  await openFile(window, transcript);
  await window
    .locator(".editor-actions")
    .getByRole("button", { name: /Open Transcript in Inspector/ })
    .click();
  const page = await webviewFrame(window, "context-budget-inspector");
  const row = page.getByRole("row").filter({ hasText: "persisted" }).first();
  await row.waitFor();
  await row.click();
  await page.locator("cbi-detail-pane pre").waitFor();
  return page;
}
