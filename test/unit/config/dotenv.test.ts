import { describe, expect, it } from "vitest";
import { parseDotenv } from "../../../extension/src/core/config/dotenv";
import { variable } from "./samples";

const read = (text: string): Readonly<Record<string, string>> => Object.fromEntries(parseDotenv(text));

describe("parseDotenv", () => {
  it("takes quotes, export, comments and every line end", () => {
    expect(read("A=1\r\nexport B = two words # note\rC='it''s'\nD=\"x\\ny\"\n# E=5\nF=a#b\nG=\n")).toEqual({
      A: "1",
      B: "two words",
      C: "it",
      D: "x\ny",
      F: "a#b",
      G: "",
    });
  });

  it("reads values over several lines in quotes", () => {
    expect(read('A="one\ntwo"\nB=2\n')).toEqual({ A: "one\ntwo", B: "2" });
  });

  it("skips what is no assignment, and an open quote ends with its line", () => {
    expect(read('just text\n=1\nA="open\nB=2\n')).toEqual({ A: '"open', B: "2" });
    expect(read("\uFEFFA=1\nA=2")).toEqual({ A: "2" });
    expect(read("")).toEqual({});
  });

  it("replaces earlier names except in single quotes", () => {
    expect(read(`A=1\nB=${variable("A")}2\nC='${variable("A")}'\nD=${variable("NOPE")}\n`)).toEqual({
      A: "1",
      B: "12",
      C: variable("A"),
      D: variable("NOPE"),
    });
  });

  it("stays quick on large and odd files", () => {
    expect(parseDotenv(`${'A="'.repeat(50_000)}\n`).size).toBe(1);
    expect(parseDotenv("A=1\n".repeat(200_000)).size).toBe(1);
  });
});
