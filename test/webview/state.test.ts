import { describe, expect, test } from "vitest";
import type { Events } from "../../extension/src/protocol/webview";
import { makeRows, recording } from "../../webview/dev/recordings";
import { reduce } from "../../webview/src/state";

const nothing: Events["state/append"] = {
  header: null,
  threads: [],
  rows: [],
  problems: [],
  progress: { doneBytes: 1, totalBytes: 2 },
};

describe("what the host says", () => {
  test("increments before the first full state add nothing", () => {
    expect(reduce(null, { e: "state/append", body: nothing })).toBeNull();
    expect(reduce(null, { e: "files/status", body: [[0, "ok"]] })).toBeNull();
  });

  test("a full state replaces everything", () => {
    const sample = recording("sample");
    expect(reduce(recording("huge"), { e: "state/full", body: sample })).toBe(sample);
  });

  test("batches of any length give the rows of one batch", () => {
    const rows = makeRows(100);
    let model = reduce(null, { e: "state/full", body: { ...recording("reading"), rows: [] } });
    for (let from = 0; from < rows.length; from += 7) {
      model = reduce(model, { e: "state/append", body: { ...nothing, rows: rows.slice(from, from + 7) } });
    }
    expect(model?.rows).toEqual(rows);
    expect(model?.header).toEqual(recording("reading").header);
    expect(model?.progress).toEqual({ doneBytes: 1, totalBytes: 2 });
  });

  test("a thread met again replaces its older totals", () => {
    const model = reduce(recording("sample"), {
      e: "state/append",
      body: { ...nothing, threads: [{ id: "sub-1", title: "again", kind: "subagent", calls: 9, messages: 30 }] },
    });
    expect(model?.threads.map((thread) => [thread.id, thread.calls])).toEqual([
      ["main", 64],
      ["sub-1", 9],
    ]);
  });

  test("an append without rows keeps the list itself, so nothing is sorted again", () => {
    const before = recording("sample");
    expect(reduce(before, { e: "state/append", body: nothing })?.rows).toBe(before.rows);
  });

  test("the end of reading keeps rows and header, and drops the progress", () => {
    const before = recording("reading");
    const after = reduce(before, {
      e: "state/phase",
      body: { phase: "failed", error: "line 3 is torn", header: null, problemsOmitted: 4 },
    });
    expect(after).toEqual({ ...before, phase: "failed", error: "line 3 is torn", progress: null, problemsOmitted: 4 });
  });

  test("file statuses reach their rows by index and touch no other", () => {
    const before = recording("sample");
    const after = reduce(before, {
      e: "files/status",
      body: [
        [5, "expired"],
        [999_999, "ok"],
      ],
    });
    expect(after?.rows[5]?.file).toBe("expired");
    expect(after?.rows.filter((row, at) => row !== before.rows[at])).toHaveLength(1);
  });
});
