import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLAUDE, CODEX, HERMES_SNAPSHOT, MAUSBOT_THREAD } from "../unit/transcript/samples";
import { drawn } from "../webview/devPage";
import { HUGE_UNITS, mapTexts, TOWER } from "./hostileTranscripts";
import { openTranscript, type PageServer, startPageServer } from "./realPage";
import { faults } from "./shownPage";

let server: PageServer;
const folder = mkdtempSync(join(tmpdir(), "huge-"));
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const NAMES = new Set(["name", "id", "tool_use_id", "call_id", "tool_call_id", "model", "cwd", "title", "sessionId"]);
/** UTF-16 units that cross to the page for one small transcript, whatever its texts are. */
const MOST_CROSSED = 4_000_000;

function grown(content: string, by: (text: string) => string): string {
  return mapTexts(content, (text, key) => (NAMES.has(key) ? by(text) : text));
}

describe("texts that nobody can look at", () => {
  it.each([
    ["a Claude Code session", CLAUDE],
    ["a Codex rollout", CODEX],
    ["a Hermes snapshot", HERMES_SNAPSHOT],
    ["an OpenMausBot thread", MAUSBOT_THREAD],
  ])(
    "%s",
    async (name, content) => {
      for (const [kind, text] of [
        ["huge", "W".repeat(name.includes("Claude") ? HUGE_UNITS : HUGE_UNITS / 10)],
        ["tower", TOWER],
        ["controls", "\u0007".repeat(200_000)],
      ] as const) {
        const path = join(folder, `${name}-${kind}.${content.includes("\n") ? "jsonl" : "json"}`);
        writeFileSync(
          path,
          grown(content, (old) => `${text}${old}`),
        );
        const { page, crossed, close } = await openTranscript(server, path);
        for (const tab of ["results", "overview", "problems"]) {
          await page.locator(`#tab-${tab}`).click();
          const row = page.getByRole("row").nth(1);
          if (tab === "results" && (await row.isVisible())) await row.click();
          await drawn(page);
          expect(await faults(page), `${kind}, ${tab}`).toEqual([]);
        }
        expect(crossed(), kind).toBeLessThan(MOST_CROSSED);
        await close();
      }
    },
    120_000,
  );
});
