import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** What axe finds serious or critical in all of the page: rule, element and remedy of each. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  const { passes, violations } = await new AxeBuilder({ page })
    // The page has no frames, so axe needs no second page to gather results in.
    .setLegacyMode()
    // Every element is looked at all the same; those that pass a rule are not all listed, each with a selector of its own.
    .options({ resultTypes: ["violations"] })
    .analyze();
  expect(passes.length).toBeGreaterThan(5);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} — ${node.failureSummary ?? ""}`));
}
