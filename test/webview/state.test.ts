import { describe, expect, test } from "vitest";
import type { Events } from "../../extension/src/protocol/webview";
import { recording, threadFor } from "../../webview/dev/recordings";
import { reduce } from "../../webview/src/state";

const nothing: Events["state/append"] = {
  header: null,
  threads: [],
  rows: { revision: 2, count: 70 },
  problems: [],
  progress: { doneBytes: 1, totalBytes: 2 },
};

describe("what the host says", () => {
  test("increments before the first full state add nothing", () => {
    expect(reduce(null, { e: "state/append", body: nothing })).toBeNull();
    expect(reduce(null, { e: "rows/changed", body: { revision: 1, count: 1 } })).toBeNull();
  });

  test("a full state replaces everything", () => {
    const sample = recording("sample");
    expect(reduce(recording("huge"), { e: "state/full", body: sample })).toBe(sample);
  });

  test("an append brings the news of the rows and the progress, and keeps the header", () => {
    const model = reduce(recording("reading"), { e: "state/append", body: nothing });
    expect(model?.rows).toEqual({ revision: 2, count: 70 });
    expect(model?.header).toEqual(recording("reading").header);
    expect(model?.progress).toEqual({ doneBytes: 1, totalBytes: 2 });
  });

  test("a thread met again replaces its older totals", () => {
    const model = reduce(recording("sample"), {
      e: "state/append",
      body: {
        ...nothing,
        threads: [threadFor({ id: "sub-1", title: "again", kind: "subagent" }, { calls: 9, messages: 30 })],
      },
    });
    expect(model?.threads.map((thread) => [thread.id, thread.calls])).toEqual([
      ["main", 64],
      ["sub-1", 9],
    ]);
  });

  test("the end of reading keeps rows and header, and drops the progress", () => {
    const before = recording("reading");
    const after = reduce(before, {
      e: "state/phase",
      body: { phase: "failed", error: "line 3 is torn", header: null, problemsOmitted: 4 },
    });
    expect(after).toEqual({ ...before, phase: "failed", error: "line 3 is torn", progress: null, problemsOmitted: 4 });
  });

  test("an update brings what is new about the file, and takes problems back", () => {
    const before = recording("sample");
    const rows = { revision: 9, count: 65 };
    const body = { header: null, threads: before.threads, rows, problems: [], problemsOmitted: 0 };
    expect(reduce(before, { e: "state/update", body })).toEqual({ ...before, rows, problems: [] });
    expect(reduce(before, { e: "rows/changed", body: rows })).toEqual({ ...before, rows });
    expect(reduce(before, { e: "state/live", body: { live: true } })?.live).toBe(true);
  });
});
