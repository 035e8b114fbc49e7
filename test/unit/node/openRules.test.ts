import { describe, expect, it } from "vitest";
import { followable, planOpening, visible } from "../../../extension/src/node/openRules";
import { persisted, REPORT, result } from "../client/fakes";

const outside = { ...REPORT, status: "outside", resolvedPath: undefined, inKnownFolder: false } as const;
const gone = {
  ...REPORT,
  status: "missing",
  resolvedPath: undefined,
  inKnownFolder: false,
  notes: ["Expired is normal."],
} as const;
const NOT_LOOKED = { ...REPORT, status: "not-checked", resolvedPath: undefined, inKnownFolder: false } as const;
const fullText = { place: { line: 1, start: 0, end: 1 }, path: ["toolUseResult"] };

describe("planOpening", () => {
  it("opens a file in a known spill folder without asking", () => {
    expect(planOpening(persisted(0, "/elsewhere/a.txt"), REPORT)).toEqual({ from: "known-file", path: "/home/a.txt" });
  });

  it("asks for any other path, naming it in full", () => {
    expect(planOpening(persisted(0, "/etc/passwd"), outside)).toEqual({
      from: "ask",
      path: "/etc/passwd",
      why: "outside",
    });
  });

  it("does not take a resolved path for a known one", () => {
    const resolved = { ...outside, resolvedPath: "/etc/shadow" };
    expect(planOpening(persisted(0, "/h/link.txt"), resolved)).toEqual({
      from: "ask",
      path: "/etc/shadow",
      why: "outside",
    });
  });

  it("prefers the text in the transcript to asking", () => {
    expect(planOpening(persisted(0, "/etc/passwd", { fullText }), outside)).toEqual({ from: "transcript" });
    expect(planOpening(result(0), undefined)).toEqual({ from: "transcript" });
  });

  it("explains when there is nothing to open", () => {
    expect(planOpening(persisted(0, "/h/a.txt"), gone)).toEqual({ from: "nowhere", why: "Expired is normal." });
    const handle = planOpening(result(0, { state: "handle" }), undefined);
    expect(handle.from === "nowhere" && handle.why).toContain("only the agent can read it");
    for (const state of ["missing", "cleared", "pruned", "truncated", "duplicate"] as const) {
      const plan = planOpening(result(0, { state }), undefined);
      expect(plan.from === "nowhere" && plan.why.length).toBeGreaterThan(20);
    }
  });
});

describe("in a workspace that is not trusted", () => {
  const place = { ...NOT_LOOKED, unseen: "/w/.hermes/cache/spillover/a.txt" } as const;

  it("every file waits for a click, and the text of the transcript comes first", () => {
    expect(planOpening(persisted(0, "/x/cache/spillover/a.txt"), place)).toEqual({
      from: "ask",
      path: "/w/.hermes/cache/spillover/a.txt",
      why: "not-trusted",
    });
    expect(planOpening(persisted(0, "/x/a.txt", { fullText }), place)).toEqual({ from: "transcript" });
  });
});

describe("followable", () => {
  const linux = { platform: "linux", homeFolder: "/home/dana" } as const;
  const windows = { platform: "win32", homeFolder: "C:\\Users\\dana" } as const;

  it.each([
    [linux, "/etc/passwd", "/etc/passwd"],
    [linux, "/h/cache/spillover/../../../etc/passwd", "/etc/passwd"],
    [linux, "~/.ssh/config", "/home/dana/.ssh/config"],
    [windows, "C:\\x\\..\\y.txt", "C:\\y.txt"],
    [windows, "~/a.txt", "C:\\Users\\dana\\a.txt"],
  ] as const)("%j names one place: %s", (ground, path, place) => {
    expect(followable(path, ground)).toEqual({ ok: true, value: place });
  });

  it.each([
    [linux, "secrets.txt"],
    [linux, "./secrets.txt"],
    [linux, "~other/secrets.txt"],
    [linux, "/a\0b"],
    [linux, ""],
    [windows, "\\\\evil.example\\share\\x"],
    [windows, "//evil.example/share/x"],
    [windows, "\\\\?\\C:\\x"],
  ] as const)("%j refuses %j", (ground, path) => {
    expect(followable(path, ground).ok).toBe(false);
  });
});

describe("visible", () => {
  it("lets no character hide, move or imitate another", () => {
    expect(visible("/a b/c.txt")).toBe("/a b/c.txt");
    expect(visible("/safe\n/etc")).toBe("/safe\\u{a}/etc");
    expect(visible("/x\u202Etxt.exe\u200B\u00A0")).toBe("/x\\u{202e}txt.exe\\u{200b}\\u{a0}");
  });
});
