import { describe, expect, it } from "vitest";
import {
  filePage,
  PAGE_BYTES,
  pageCount,
  pageTitle,
  plainName,
  rangeOf,
  textPage,
  WHOLE_FILE_BYTES,
} from "../../../extension/src/client/views/pages";
import { source, utf8 } from "./fakes";

const encoder = new TextEncoder();

async function allPages(bytes: Uint8Array) {
  const pages = [];
  for (let page = 0; page < pageCount(bytes.length); page++) pages.push(await filePage(source(bytes), utf8, page));
  return pages;
}

describe("filePage", () => {
  it("shows a file of the limit whole", async () => {
    const page = await filePage(source(new Uint8Array(WHOLE_FILE_BYTES).fill(0x61)), utf8, 0);
    expect(page).toMatchObject({ page: 0, pages: 1, start: 0, end: WHOLE_FILE_BYTES, unit: "bytes" });
  });

  it("cuts a larger file after line ends, without losing or repeating a byte", async () => {
    const line = `${"x".repeat(997)}é\n`;
    const text = line.repeat(7000);
    const pages = await allPages(encoder.encode(text));
    expect(pages.length).toBe(3);
    expect(pages.map((page) => page.text).join("")).toBe(text);
    for (const page of pages) expect(page.text.endsWith("\n")).toBe(true);
    for (const page of pages) expect(page.valid).toBe(true);
  });

  it.each([["é"], ["漢"], ["😀"]])("does not cut the character %s where there is no line end", async (character) => {
    // One byte in front moves every page border into the middle of characters.
    const text = `a${character.repeat(Math.ceil((3 * PAGE_BYTES) / encoder.encode(character).length))}`;
    const pages = await allPages(encoder.encode(text));
    expect(pages.map((page) => page.text).join("")).toBe(text);
    for (const page of pages) expect(page.valid).toBe(true);
  });

  it("moves a page number outside to the nearest page", async () => {
    const bytes = new Uint8Array(3 * PAGE_BYTES).fill(0x61);
    expect((await filePage(source(bytes), utf8, 99)).page).toBe(2);
    expect((await filePage(source(bytes), utf8, -1)).page).toBe(0);
    expect((await filePage(source(bytes), utf8, Number.NaN)).page).toBe(0);
  });

  it("says when bytes are not UTF-8", async () => {
    expect(await filePage(source(Uint8Array.of(0x61, 0xff, 0x62)), utf8, 0)).toMatchObject({
      text: "a\uFFFDb",
      valid: false,
    });
  });

  it("shows an empty file", async () => {
    expect(await filePage(source(new Uint8Array()), utf8, 0)).toMatchObject({ text: "", pages: 1, total: 0 });
  });
});

describe("rangeOf", () => {
  it("is a source of its own that cannot be left", async () => {
    const range = rangeOf(source(encoder.encode("0123456789")), 3, 7);
    expect(range.bytes).toBe(4);
    expect(utf8.decode(await range.read(1, 99)).text).toBe("456");
  });
});

describe("textPage", () => {
  it("joins to the whole text and never splits a surrogate pair", () => {
    const text = `a${"😀".repeat(PAGE_BYTES * 1.5)}`;
    const pages = Array.from({ length: pageCount(text.length) }, (_, page) => textPage(text, page));
    expect(pages.length).toBe(3);
    expect(pages.map((page) => page.text).join("")).toBe(text);
    for (const page of pages) expect(encodeURIComponent(page.text).length).toBeGreaterThan(0);
  });
});

describe("titles", () => {
  it("state the page only when there are several", () => {
    expect(pageTitle("call_1.txt", 0, 1)).toBe("call_1.txt");
    expect(pageTitle("call_1.txt", 1, 7)).toBe("call_1.txt (page 2 of 7)");
  });

  it("hold nothing that could pass for something else", () => {
    expect(plainName("a/b\\c\n\u202Ed?#e")).toBe("a_b_c_d_e");
    expect(plainName(" ")).toBe("output");
    expect(plainName("x".repeat(500))).toHaveLength(100);
  });
});
