import { describe, expect, it } from "vitest";
import { CancelSource } from "../../../extension/src/client/lifetime";
import { parseBody } from "../../../extension/src/client/views/frames";
import { sessionHandles } from "../../../extension/src/client/views/sessionHandles";
import type { HandlesPage } from "../../../extension/src/core/model/handlesPage";
import { ok } from "../../../extension/src/core/model/problem";
import type { FileReport } from "../../../extension/src/core/results/fileCheck";
import { HandleHost } from "../../../webview/dev/handleHost";
import { makeRows } from "../../../webview/dev/recordings";
import { handleReplyGuards } from "../../../webview/src/handleGuards";
import { persisted, result } from "./fakes";

const ALL = { moment: { kind: "now" }, use: null, from: 0, count: 200 } as const;
const NOW = 1_786_800_000_000;

function session(report: Partial<FileReport>, reports: number[] = []) {
  const rows = makeRows(60);
  const page = new HandleHost().handles(rows, ALL);
  let renewed = 0;
  return {
    page,
    reports,
    renewed: () => renewed,
    session: {
      whatIf: {
        renew: () => void renewed++,
        ask: async () => ok(page) as never,
      },
      result: async (index: number) => {
        const row = rows[index];
        return row?.path == null ? result(index) : persisted(index, row.path);
      },
      report: async ({ index }: { readonly index: number }) => {
        reports.push(index);
        return {
          status: "ok",
          resolvedPath: "/x",
          realChars: 1,
          realBytes: 1,
          ageMs: 1_000,
          inKnownFolder: true,
          canRebase: false,
          notes: [],
          ...report,
        } as FileReport;
      },
    },
  };
}

async function answered(one: ReturnType<typeof session>, cancel = new CancelSource()): Promise<HandlesPage> {
  const answer = await sessionHandles(one.session, ALL, {}, { now: () => NOW }, cancel);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

describe("handles of an open transcript", () => {
  it("look at the file behind each path, and at nothing for an id; what comes out passes the page's guard", async () => {
    const one = session({ status: "size-differs" });
    const page = await answered(one);
    expect(one.renewed()).toBe(1);
    const files = page.rows.filter(({ kind }) => kind === "file");
    expect(files.length).toBeGreaterThan(5);
    for (const row of files) expect(row).toMatchObject({ file: "size-differs", readable: "yes", why: "file-changed" });
    expect([...one.reports].sort((a, b) => a - b)).toEqual(files.map(({ row }) => row));
    expect(page.rows.filter(({ kind }) => kind !== "file")).toEqual(
      one.page.rows.filter(({ kind }) => kind !== "file"),
    );
    expect(handleReplyGuards.handles(page)).toBe(true);
    expect(handleReplyGuards.handles({ ...page, counts: { ...page.counts, read: "many" } })).toBe(false);
  });

  it("leaves a row as it is when the transcript has another result there now", async () => {
    const one = session({});
    one.session.result = async (index: number) => persisted(index, "/another/path.txt");
    expect((await answered(one)).rows).toEqual(one.page.rows);
    expect(one.reports).toEqual([]);
  });

  it("stops looking when nobody waits any more", async () => {
    const one = session({});
    const cancel = new CancelSource();
    cancel.cancel();
    const answer = await sessionHandles(one.session, ALL, {}, { now: () => NOW }, cancel);
    expect(answer).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect(one.reports).toEqual([]);
  });

  it.each([
    [ALL, true],
    [{ ...ALL, moment: { kind: "call", thread: null, call: 3 } }, true],
    [{ ...ALL, moment: { kind: "call", thread: "t", call: 3 }, use: "never" }, true],
    [{ ...ALL, moment: { kind: "call", thread: "t".repeat(5_000), call: 3 } }, false],
    [{ ...ALL, moment: { kind: "call", thread: null, call: -1 } }, false],
    [{ ...ALL, moment: "now" }, false],
    [{ ...ALL, use: "eaten" }, false],
    [{ ...ALL, count: 201 }, false],
    [{ ...ALL, from: 0.5 }, false],
  ])("believes nothing of what a page asks: %j", (body, fits) => {
    expect(parseBody("handles", body).ok).toBe(fits);
  });
});
