import { describe, expect, it } from "vitest";
import { numbersFor } from "../../../extension/src/client/views/numbers";
import { SESSIONS_PER_LEVEL, sessionPage } from "../../../extension/src/client/views/sessionPages";
import {
  resultContext,
  resultDescription,
  resultLabel,
  shortLabel,
  TAKEN_OUT,
} from "../../../extension/src/client/views/sessionResults";
import { RowList } from "../../../webview/dev/rowList";
import { persisted, result, rowOf } from "./fakes";

describe("a level of the tree", () => {
  it("shows the newest, and the others below a node of their own", () => {
    const all = Array.from({ length: 10_000 }, (_, n) => n);
    const seen = [];
    let left: readonly number[] = all;
    while (left.length > 0) {
      const page = sessionPage(left);
      expect(page.shown.length).toBeLessThanOrEqual(SESSIONS_PER_LEVEL * 1.1);
      seen.push(...page.shown);
      left = page.older;
    }
    expect(seen).toEqual(all);
    expect(sessionPage(all.slice(0, SESSIONS_PER_LEVEL + 5)).older).toEqual([]);
  });
});

describe("results in the tree", () => {
  const numbers = numbersFor("en");
  const row = rowOf(persisted(0, "/h/a.txt"), "expired");

  it("say what was taken out and what became of the file", () => {
    expect(resultLabel(row)).toBe("terminal · turn 1");
    expect(resultDescription(row, numbers)).toBe("46,003 chars · file expired");
    expect([999, 70_412, 999_950, 104_857_600].map((bytes) => numbers.bytes(bytes))).toEqual([
      "999 B",
      "70.4 kB",
      "1 MB",
      "104.9 MB",
    ]);
    expect(resultDescription({ ...row, file: "ok" }, numbers)).toBe("46,003 chars · persisted");
    expect(shortLabel("8463c716-a2ea-4c14-9efa-87158ebd9f20")).toBe("8463c716…");
    expect(shortLabel("8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl")).toBe("8463c716….jsonl");
    expect(shortLabel("20260908_090003_1c40de")).toBe("20260908_090003_1c40de");
    expect(resultContext(row)).toBe("result persisted path");
    expect(resultContext({ ...row, file: "ok" })).toBe("result persisted path full");
    expect(resultLabel({ ...row, tool: null, turn: null })).toBe("unknown tool");
  });

  it("leave out what is still in context", () => {
    const states = ["inline", "persisted", "truncated", "handle", "cleared", "missing"] as const;
    const rows = states.map((state, index) => rowOf(result(index, { state })));
    expect(new RowList(rows).answer(TAKEN_OUT).rows.map((one) => one.state)).toEqual([
      "persisted",
      "truncated",
      "handle",
    ]);
  });
});
