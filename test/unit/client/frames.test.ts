import { describe, expect, it } from "vitest";
import { parseBody, parsePageFrame } from "../../../extension/src/client/views/frames";

describe("parsePageFrame", () => {
  it("takes calls and cancels in their declared shape, and nothing that comes with them", () => {
    expect(parsePageFrame({ v: 1, id: 3, t: "call", m: "detail", body: { index: 1 }, extra: 1 })).toEqual({
      ok: true,
      value: { v: 1, id: 3, t: "call", m: "detail", body: { index: 1 } },
    });
    expect(parsePageFrame({ v: 1, id: 3, t: "cancel", m: "x" })).toEqual({
      ok: true,
      value: { v: 1, id: 3, t: "cancel" },
    });
  });

  it.each([
    ["text", "hello", undefined],
    ["null", null, undefined],
    ["list", [], undefined],
    ["other version", { v: 2, id: 1, t: "call", m: "ready", body: {} }, 1],
    ["no id", { v: 1, t: "cancel" }, undefined],
    ["negative id", { v: 1, id: -1, t: "cancel" }, undefined],
    ["fraction as id", { v: 1, id: 1.5, t: "cancel" }, undefined],
    ["unknown type", { v: 1, id: 1, t: "ok", body: 1 }, 1],
    ["unknown call", { v: 1, id: 1, t: "call", m: "eval", body: {} }, 1],
    ["inherited name as call", { v: 1, id: 1, t: "call", m: "constructor", body: {} }, 1],
    ["__proto__ as call", { v: 1, id: 1, t: "call", m: "__proto__", body: {} }, 1],
  ])("refuses %s", (_name, raw, id) => {
    expect(parsePageFrame(raw)).toMatchObject({ ok: false, error: { id } });
  });
});

describe("parseBody", () => {
  it("keeps declared fields only", () => {
    expect(parseBody("copy", { index: 2, what: "path", path: "/etc/passwd" })).toEqual({
      ok: true,
      value: { index: 2, what: "path" },
    });
    expect(parseBody("rebase", { folder: "/" })).toEqual({ ok: true, value: {} });
    expect(parseBody("overview", { thread: null, more: 1 })).toEqual({ ok: true, value: { thread: null } });
    const query = { text: "a", regex: true, matchCase: false };
    expect(parseBody("search", { search: 3, query: { ...query, targets: [] }, path: "/etc" })).toEqual({
      ok: true,
      value: { search: 3, query },
    });
  });

  it.each([
    ["detail", { index: "1" }],
    ["detail", { index: -1 }],
    ["detail", { index: Number.NaN }],
    ["detail", null],
    ["detail", [1]],
    ["copy", { index: 1, what: "everything" }],
    ["reveal", { line: 1.5 }],
    ["ready", {}],
    ["overview", {}],
    ["overview", { thread: 4 }],
    ["search", { search: 1 }],
    ["search", { search: 1, query: { text: "a", regex: "yes", matchCase: false } }],
    ["search", { search: -1, query: { text: "a", regex: false, matchCase: false } }],
    ["search", { search: 1, query: { text: "a".repeat(1_001), regex: false, matchCase: false } }],
  ] as const)("refuses %s %j", (name, body) => {
    expect(parseBody(name, body).ok).toBe(false);
  });
});
