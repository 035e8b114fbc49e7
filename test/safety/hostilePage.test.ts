import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawn } from "../webview/devPage";
import { hostileSamples } from "./hostileTranscripts";
import { openTranscript, type PageServer, startPageServer } from "./realPage";
import { faults } from "./shownPage";

let server: PageServer;
const folder = mkdtempSync(join(tmpdir(), "hostile-"));
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Everything that the page can be made to show of a transcript. */
async function lookAtAll(page: Page, look: (where: string) => Promise<void>): Promise<void> {
  const tabs = page.getByRole("tab");
  for (const name of await tabs.allInnerTexts()) {
    await page.getByRole("tab", { name: name.split("\n")[0] ?? name }).click();
    await drawn(page);
    await look(name);
    const rows = page.getByRole("row");
    for (let row = 1; row < Math.min(12, await rows.count()); row++) {
      await rows.nth(row).click();
      await page.waitForFunction(() => document.querySelector("context-budget-inspector") !== null);
      await drawn(page);
      await look(`${name}, row ${row}`);
    }
  }
}

describe("a transcript that is hostile in every text", async () => {
  const transcripts = await hostileSamples();
  it.each(transcripts.map((one) => [one.name, one] as const))("%s", async (name, { content, changed }) => {
    expect(changed).toBeGreaterThan(4);
    const path = join(folder, `${name.replace(/\W+/g, "-")}${content.includes("\n") ? ".jsonl" : ".json"}`);
    writeFileSync(path, content);
    const { page, complaints, close } = await openTranscript(server, path);
    const found: string[] = [];
    await lookAtAll(page, async (where) => {
      for (const fault of await faults(page)) found.push(`${where}: ${fault}`);
    });
    expect([...new Set(found)]).toEqual([]);
    // The toolkit asks once whether the platform knows a selector, and does without the answer.
    const violations = await page.evaluate(() => window.violations);
    expect(violations.map(({ directive }) => directive)).toEqual(["style-src-elem"]);
    expect(complaints).toEqual([]);
    expect(server.strays).toEqual([]);
    await close();
  });
});
