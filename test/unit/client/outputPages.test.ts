import { describe, expect, it } from "vitest";
import { OutputPages, PAGED_LIMIT } from "../../../extension/src/client/views/outputPages";
import { ok } from "../../../extension/src/core/model/problem";
import type { FileAccess, FileStat, SecretFinder } from "../../../extension/src/core/ports";
import type { FileReport } from "../../../extension/src/core/results/fileCheck";
import { PAGE_UNITS, pageAt } from "../../../extension/src/core/results/store/page";
import { pageAround, pageStarts } from "../../../extension/src/core/results/store/pages";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { persisted, result } from "./fakes";

const TOKEN = "token-0123456789";
/** Finds one word, as a stand-in for the rules. */
const secrets: SecretFinder = {
  find: async (text) =>
    [...text.matchAll(new RegExp(TOKEN, "g"))].map(({ index }) => ({
      start: index,
      end: index + TOKEN.length,
      rule: "github",
    })),
};

/** A small generator of texts in which surrogates stand whole, halved and the wrong way round. */
function texts(seed: number): string {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const units = ["a", "é", "日", "😀", "\ud83d", "\ude00", "\n"];
  return Array.from({ length: next(90) }, () => units[next(units.length)]).join("");
}

describe("pages of a text", () => {
  it("together are the text, and each is the store's page at its offset", () => {
    for (let seed = 0; seed < 400; seed++) {
      const text = texts(seed);
      const units = 2 + (seed % 9);
      const starts = pageStarts(text, units);
      const pages = starts.map((start) => pageAround(text, starts, start));
      expect(pages.map((page) => page.text).join("")).toBe(text);
      for (const page of pages) {
        const { offset, nextOffset, text: part } = page;
        // The store goes back one unit where a half stands alone, so that the page begins earlier but ends alike.
        const own = pageAt(text, offset, units);
        expect(own?.text.endsWith(part) === true || own?.nextOffset !== nextOffset || own.offset < offset).toBe(true);
        expect(page.pages).toBe(starts.length);
      }
    }
  });

  it("is found by any offset in it, and by one beyond the end", () => {
    for (let seed = 0; seed < 100; seed++) {
      const text = texts(seed);
      const starts = pageStarts(text, 5);
      for (let offset = 0; offset <= text.length + 3; offset++) {
        const page = pageAround(text, starts, offset);
        const inside = page.offset <= offset && offset < page.nextOffset;
        expect(inside || (offset >= text.length && page.page === page.pages - 1)).toBe(true);
      }
    }
  });
});

interface World {
  readonly pages: OutputPages;
  readonly reads: string[];
  readonly session: {
    path: string;
    secrets: SecretFinder | undefined;
    text: () => Promise<ReturnType<typeof ok<string>>>;
    report: () => Promise<FileReport | undefined>;
  };
}

function world(
  text: string,
  report?: Partial<FileReport>,
  stat: Partial<Extract<FileStat, { readonly bytes: number }>> = {},
): World {
  const reads: string[] = [];
  const bytes = new TextEncoder().encode(text);
  const files: FileAccess = {
    stat: async (path) => ({ kind: "file", bytes: bytes.length, mtimeMs: 1, realPath: path, ...stat }),
    open: async (path) => ({
      path,
      bytes: bytes.length,
      read: async (start, end) => {
        reads.push(path);
        return bytes.slice(start, end);
      },
    }),
    list: async () => [],
  };
  const found: FileReport = {
    status: "ok",
    resolvedPath: "/h/.hermes/cache/spillover/a.txt",
    realChars: undefined,
    realBytes: undefined,
    ageMs: 0,
    inKnownFolder: true,
    canRebase: false,
    notes: [],
    ...report,
  };
  const session = {
    path: "/w/session.json",
    secrets,
    text: async () => {
      reads.push("transcript");
      return ok(text);
    },
    report: async () => (report === undefined ? undefined : found),
  };
  return { pages: new OutputPages({ files, utf8: nodeUtf8 }), reads, session };
}

describe("paging through a full output", () => {
  it("masks before it cuts, also a secret across the edge of a page, and reads a text once", async () => {
    const text = `${"x".repeat(PAGE_UNITS - 8)}${TOKEN}${"y".repeat(PAGE_UNITS)}`;
    const { pages, session, reads } = world(text, {});
    const one = persisted(3, "/h/.hermes/cache/spillover/a.txt");
    const parts: string[] = [];
    for (let offset = 0; ; ) {
      const page = await pages.page(session, one, offset);
      if (!page.ok) throw new Error(page.error);
      expect(page.value).toMatchObject({ index: 3, masked: true, valid: true, offset });
      parts.push(page.value.text);
      if (page.value.nextOffset === page.value.length) break;
      offset = page.value.nextOffset;
    }
    const joined = parts.join("");
    expect(joined === text.replace(TOKEN, "[secret: github]")).toBe(true);
    expect(joined.includes(TOKEN.slice(0, 6))).toBe(false);
    expect(reads).toHaveLength(1);
  });

  it("shows one secret on demand: what its mask in the page stands for, and nothing else", async () => {
    const text = `${"x".repeat(PAGE_UNITS)}\ntoken ${TOKEN} and again ${TOKEN}\n`;
    const { pages, session } = world(text, {});
    const one = persisted(3, "/h/.hermes/cache/spillover/a.txt");
    const page = await pages.page(session, one, PAGE_UNITS + 5);
    if (!page.ok) throw new Error(page.error);
    const { masks, text: shown, offset } = page.value;
    expect(masks.map(({ start, end }) => shown.slice(start, end))).toEqual(["[secret: github]", "[secret: github]"]);
    for (const { at, start } of masks) {
      expect(at).toBe(offset + start);
      expect(await pages.secret(session, one, at)).toEqual({ ok: true, value: TOKEN });
    }
    expect(await pages.secret(session, one, 0)).toMatchObject({ ok: false });
    expect(await pages.secret(session, one, (masks[0]?.at ?? 0) + 1)).toMatchObject({ ok: false });
  });

  it("takes the text of the transcript where it stands there", async () => {
    const { pages, session, reads } = world("whole text");
    expect(await pages.page(session, result(0), 99)).toMatchObject({
      ok: true,
      value: { text: "whole text", offset: 0, nextOffset: 10, length: 10, page: 0, pages: 1, masked: false, masks: [] },
    });
    expect(reads).toEqual(["transcript"]);
  });

  it("reads nothing that needs a question, is nowhere, leads elsewhere or is too large", async () => {
    const one = persisted(0, "/elsewhere/a.txt");
    const outside = world("x", { status: "outside", inKnownFolder: false, resolvedPath: undefined });
    expect(await outside.pages.page(outside.session, one, 0)).toMatchObject({
      ok: false,
      error: /you are asked first/,
    });
    const gone = world("x", { status: "missing", resolvedPath: undefined, notes: ["It is gone."] });
    expect(await gone.pages.page(gone.session, one, 0)).toEqual({ ok: false, error: "It is gone." });
    const moved = world("x", {}, { realPath: "/etc/passwd" });
    expect(await moved.pages.page(moved.session, one, 0)).toMatchObject({ ok: false, error: /leads somewhere else/ });
    const huge = world("x", {}, { bytes: PAGED_LIMIT + 1 });
    expect(await huge.pages.page(huge.session, one, 0)).toMatchObject({ ok: false, error: /more than 16 MiB/ });
    for (const { reads } of [outside, gone, moved, huge]) expect(reads).toEqual([]);
  });

  it("reads a file again when it changed", async () => {
    const stat = { mtimeMs: 1 };
    const { pages, session, reads } = world("text", {}, stat);
    const one = persisted(0, "/h/.hermes/cache/spillover/a.txt");
    await pages.page(session, one, 0);
    await pages.page(session, one, 2);
    expect(reads).toHaveLength(1);
    stat.mtimeMs = 2;
    await pages.page(session, one, 0);
    expect(reads).toHaveLength(2);
  });
});
