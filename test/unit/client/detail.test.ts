import { describe, expect, it } from "vitest";
import { cut, DETAIL_TEXT_LIMIT, type DetailInput, toDetail } from "../../../extension/src/client/views/detail";
import { numbersFor } from "../../../extension/src/client/views/numbers";
import type { PersistedInfo, ToolResult } from "../../../extension/src/core/model/transcript";
import { persisted, REPORT, result, size } from "./fakes";

function detail(one: ToolResult, more: Partial<DetailInput> = {}) {
  return toDetail({
    result: one,
    unit: "codePoints",
    body: "0123456789",
    secrets: [],
    bodyProblem: undefined,
    report: undefined,
    leftBy: undefined,
    numbers: numbersFor("en"),
    ...more,
  });
}
const info = (more: Partial<PersistedInfo>): PersistedInfo => ({
  ...(persisted(0, "/x").persisted as PersistedInfo),
  path: undefined,
  ...more,
});

describe("toDetail", () => {
  it.each<[string, ToolResult, string]>([
    ["inline", result(0, { size: size(48_120) }), "Inline: the whole text, 48,120 chars, is in context."],
    [
      "persisted",
      persisted(0, "/h/a.txt", { size: size(1957) }),
      "Persisted: the full text of 46,003 chars was taken out of context; a preview and a path were left, 1,957 chars in all.",
    ],
    [
      "persisted, rounded",
      persisted(0, "/h/a.txt", { persisted: info({ path: "/a", statedChars: 85_709, statedRounded: true }) }),
      "Persisted: the full text of about 85,709 chars was taken out of context; a preview and a path were left, 10 chars in all.",
    ],
    [
      "truncated",
      result(0, { state: "truncated", persisted: info({ statedChars: 90_000 }) }),
      "Truncated: 10 chars of 90,000 chars are in context; the rest was not saved and is lost.",
    ],
    [
      "handle",
      result(0, { state: "handle", persisted: info({ handle: "r-1", nextOffset: 16_000, statedChars: undefined }) }),
      "Handle: a preview was left, 10 chars in all; the full text is with the agent, to be read page by page from offset 16,000.",
    ],
    [
      "missing",
      result(0, { state: "missing", body: undefined, orphan: true }),
      "Missing: the call was made, but its result never came (the run was interrupted, or the transcript ends here).",
    ],
    [
      "error with images",
      result(0, { isError: true, images: 2 }),
      "Inline: the whole text, 10 chars, is in context. 2 images in it are not shown here. The tool reported an error.",
    ],
  ])("says in a sentence what a result is: %s", (_name, one, summary) => {
    expect(detail(one).summary).toBe(summary);
  });

  it("shows the preview of a notice and the beginning of a text", () => {
    expect(detail(persisted(0, "/h/a.txt"))).toMatchObject({ text: "2345678", capped: false });
    const long = "x".repeat(DETAIL_TEXT_LIMIT + 1);
    expect(detail(result(0), { body: long })).toMatchObject({ text: long.slice(1), capped: true });
  });

  it("offers what can be done", () => {
    expect(detail(result(0))).toMatchObject({
      canOpenFull: true,
      fullInTranscript: true,
      canRebase: false,
      file: "none",
    });
    expect(detail(persisted(0, "/h/a.txt"), { report: REPORT })).toMatchObject({ canOpenFull: true, file: "ok" });
    const gone = {
      ...REPORT,
      status: "missing",
      resolvedPath: undefined,
      inKnownFolder: false,
      canRebase: true,
    } as const;
    expect(detail(persisted(0, "/h/a.txt"), { report: gone })).toMatchObject({
      canOpenFull: false,
      fullInTranscript: false,
      canRebase: true,
      file: "missing",
    });
    expect(detail(result(0, { state: "handle", persisted: info({ handle: "r-1" }) }))).toMatchObject({
      canOpenFull: false,
      canRebase: false,
      handle: "r-1",
    });
  });

  it("puts what went wrong before the facts about the file", () => {
    const notes = detail(persisted(0, "/h/a.txt"), {
      bodyProblem: "Unreadable.",
      report: { ...REPORT, notes: ["Age 3 hours."] },
    }).notes;
    expect(notes).toEqual(["Unreadable.", "Age 3 hours."]);
  });
});

describe("cut", () => {
  it("never ends in half a character", () => {
    expect(cut("ab😀c", 3)).toBe("ab");
    expect(cut("ab😀c", 4)).toBe("ab😀");
    expect(cut("ab", 3)).toBe("ab");
  });
});

describe("numbersFor", () => {
  it("follows the locale and survives an unknown one", () => {
    expect(numbersFor("de").chars(41_203)).toBe("41.203 chars");
    expect(numbersFor("not a locale").chars(1)).toBe("1 char");
  });

  it("writes ages in their largest fitting unit", () => {
    const { age } = numbersFor("en");
    expect([age(-5), age(60_000), age(3 * 3_600_000), age(25 * 3_600_000), age(72 * 3_600_000)]).toEqual([
      "0 minutes",
      "1 minute",
      "3 hours",
      "25 hours",
      "3 days",
    ]);
  });
});
