import { describe, expect, it } from "vitest";
import { formatFilePath, parseFilePath, segmentsBelow } from "../../../extension/src/core/util/filePath";

function tidy(text: string, home?: string): string | undefined {
  const path = parseFilePath(text, home);
  return path && formatFilePath(path);
}

describe("parseFilePath", () => {
  it.each([
    ["/a/b", "/a/b"],
    ["//a//./b/", "/a/b"],
    ["/a/../../b", "/b"],
    ["/a b/c\\d", "/a b/c\\d"],
    ["C:\\Users\\u\\x.txt", "C:\\Users\\u\\x.txt"],
    ["c:/Users/../x", "C:\\x"],
    ["\\\\?\\C:\\x", "C:\\x"],
    ["\\\\server\\share\\d\\..\\e", "\\\\server\\share\\e"],
    ["~/x", "/home/u/x"],
    ["~", "/home/u"],
    ["~/../v/x", "/home/v/x"],
  ])("%s", (text, expected) => {
    expect(tidy(text, "/home/u")).toBe(expected);
  });

  it.each(["", "a/b", "./a", "../a", "~other/x", "C:x", "/a\0b", "\\\\.\\pipe\\x", "file:///etc/passwd", "\\a"])(
    "%j is no absolute path",
    (text) => {
      expect(parseFilePath(text, "/home/u")).toBeUndefined();
    },
  );

  it("a home on Windows", () => {
    expect(tidy("~\\x/y", "C:\\Users\\u")).toBe("C:\\Users\\u\\x\\y");
    expect(tidy("~/x")).toBeUndefined();
  });

  it("compares whole names, on Windows without case", () => {
    const below = (path: string, folder: string): readonly string[] | undefined => {
      const a = parseFilePath(path);
      const b = parseFilePath(folder);
      return a && b && segmentsBelow(a, b);
    };
    expect(below("/a/b/c", "/a")).toEqual(["b", "c"]);
    expect(below("/ab/c", "/a")).toBeUndefined();
    expect(below("/a", "/a/b")).toBeUndefined();
    expect(below("/A/b", "/a")).toBeUndefined();
    expect(below("c:\\A\\b", "C:\\a")).toEqual(["b"]);
    expect(below("D:\\a\\b", "C:\\a")).toBeUndefined();
    expect(below("/a/b", "C:\\a")).toBeUndefined();
  });
});
