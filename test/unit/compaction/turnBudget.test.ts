import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { budgetForContextWindow } from "../../../extension/src/core/config/budgets";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { hasCorpus } from "../../corpus";
import { enforceTurnBudget } from "../../oracle/hermes/turnBudget";
import { get, isNull, isTrue, list, number, readRecorded, string } from "./oracle";

const digest = { sha256Hex: (text: string) => createHash("sha256").update(text.toWellFormed()).digest("hex") };

describe.skipIf(!hasCorpus)("turn budget", () => {
  const oracle = hasCorpus ? readRecorded("turnbudget.json") : undefined;

  it("persists what Hermes persists, to the same lengths and paths", () => {
    const cases = list(get(oracle, "cases"));
    expect(cases).toHaveLength(100);
    for (const [index, one] of cases.entries()) {
      const perTurn = number(get(one, "turn_budget"));
      const context = get(one, "context");
      if (context?.kind === "literal")
        expect(budgetForContextWindow(isNull(context) ? undefined : number(context)).perTurn).toBe(perTurn);
      // Null content makes Hermes raise; a transcript has no such result.
      if (get(one, "error") !== undefined) continue;
      const batch = list(get(one, "messages")).map((message) => {
        const id = get(message, "id");
        const content = get(message, "content");
        return {
          id: id === undefined ? undefined : isNull(id) ? null : string(id),
          content:
            content?.kind === "string"
              ? content.text
              : list(content).map((part) => {
                  const text = part.kind === "object" ? part.members.get("text") : undefined;
                  return text?.kind === "string" ? text.text : undefined;
                }),
        };
      });
      const options = {
        perTurn,
        folder: "/home/user/.hermes/cache/spillover",
        saveFails: isTrue(get(one, "save_fails")),
        preview: number(get(one, "preview_size")),
      };
      const changes = enforceTurnBudget(batch, options, digest);
      const label = `case ${index}`;
      expect(
        changes.map((change) => change.index),
        label,
      ).toEqual(list(get(one, "persisted")).map(number));
      expect(
        changes.map((change) => [change.index, change.part === undefined ? null : [change.part], change.path ?? null]),
        label,
      ).toEqual(
        list(get(one, "paths")).map((row) => {
          const [at, parts, path] = list(row);
          return [
            number(at),
            isNull(parts) ? null : list(parts).map(number),
            path === undefined || isNull(path) ? null : string(path),
          ];
        }),
      );
      const after = batch.map(({ content }, at) => {
        const change = changes.find((candidate) => candidate.index === at);
        if (typeof content === "string") return countCodePoints(change?.text ?? content);
        return content.reduce((sum, text, part) => {
          const now = change?.part === part ? change.text : text;
          return sum + countCodePoints(now ?? "");
        }, 0);
      });
      expect(after, label).toEqual(list(get(one, "lengths_after")).map(number));
    }
  });
});
