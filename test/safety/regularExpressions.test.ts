import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { checkSync } from "recheck";
import { afterAll, describe, expect, it, vi } from "vitest";
import { repoPath } from "../corpus";
import { type Expression, expressionsIn, recorded } from "./expressions";

process.env["RECHECK_BACKEND"] = "pure";

/**
 * Bounds of the analysis in steps, none in time: a busy machine comes to the same verdict, only later. `attackLimit`: characters read
 * on a text that is to prove runaway cost; what takes linear time reads the longest such text (300,000) some dozens of times.
 */
const WORK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: null,
  seedingTimeout: null,
  attackLimit: 100_000_000,
  recallLimit: 100_000_000,
} as const;
/** The analysis is synchronous, so that no limit of a test could end it; one would only call a slow machine a failure. */
const NO_TIME_LIMIT = 0;

/** Expressions that were found safe before on this machine: what is said of one never changes, and some take seconds. */
const KNOWN = repoPath("node_modules/.cache/context-budget-safe-expressions-by-steps-recheck-4.5.0.json");
const safe = new Set<string>(existsSync(KNOWN) ? JSON.parse(readFileSync(KNOWN, "utf8")) : []);
afterAll(() => {
  mkdirSync(dirname(KNOWN), { recursive: true });
  writeFileSync(KNOWN, JSON.stringify([...safe].sort()));
});

/** Undefined when no text makes it take more than linear time; else what does. */
function runaway({ source, flags, places }: Expression): string | undefined {
  // Every try ends after a fixed number of steps where nothing repeats without end.
  if (!/[*+]|\{\d+,\}/.test(source)) return undefined;
  const key = `/${source}/${flags}`;
  if (safe.has(key)) return undefined;
  // The analysis has no names for what only says where a match begins or what it returns.
  const verdict = checkSync(source, flags.replace(/[dy]/g, ""), WORK);
  if (verdict.status === "safe") {
    safe.add(key);
    return undefined;
  }
  const why =
    verdict.status === "vulnerable" ? `${verdict.complexity.summary}: ${verdict.attack.pattern}` : verdict.error.kind;
  return `${places.join(", ")} /${source}/${flags} ${why}`;
}

const { literals, makers } = expressionsIn(["extension/src", "webview/src", "extension/wasm"]);

/** The files that make expressions, and what makes them do so. A new file needs an entry, or no expression. */
const MAKERS: Readonly<Record<string, () => Promise<unknown>>> = {
  "extension/src/core/compaction/hermes/oneLine.ts": async () => {
    const { oneLineSummary } = await import("../../extension/src/core/compaction/hermes/oneLine");
    oneLineSummary("terminal", '{"command":"ls"}', '{"exit_code": 0}');
  },
  "extension/src/core/model/pyNumber.ts": () => import("../../extension/src/core/model/pyNumber"),
  "extension/src/core/yaml/resolve.ts": () => import("../../extension/src/core/yaml/resolve"),
  "webview/src/visibleText.ts": () => import("../../webview/src/visibleText"),
  "extension/src/service/completionPlace.ts": async () => {
    const { completionPlace } = await import("../../extension/src/service/completionPlace");
    for (const text of ["", "  ", "tools:\n  ", "a:\n  tool_result", "tools: {", "x"])
      completionPlace(text, text.length, "yaml");
  },
};

/** What people type into the search box; it runs guarded (see hostileSearch.test.ts). */
const GUARDED = ["extension/src/core/transcript/search.ts"];

describe("regular expressions take linear time whatever the text", () => {
  it(
    "finds them, and finds one that does not",
    () => {
      expect(literals.length).toBeGreaterThan(200);
      for (const source of ["^(a+)+$", "\\s+$", "\\$\\{([^}]+)\\}", "<a>.*?</a>x"]) {
        expect(runaway({ source, flags: "", places: [] }), source).toBeDefined();
      }
      expect(runaway({ source: "^a*b", flags: "", places: [] })).toBeUndefined();
    },
    NO_TIME_LIMIT,
  );

  it(
    "as they are written",
    () => {
      expect(literals.map(runaway).filter((why) => why !== undefined)).toEqual([]);
    },
    NO_TIME_LIMIT,
  );

  it(
    "as they are made",
    async () => {
      expect(makers).toEqual([...Object.keys(MAKERS), ...GUARDED].sort());
      for (const [path, make] of Object.entries(MAKERS)) {
        // What is made when a file is loaded is made again.
        vi.resetModules();
        const made = await recorded(make);
        expect(made.length, `${path} made none`).toBeGreaterThan(0);
        expect(
          made.map(runaway).filter((why) => why !== undefined),
          path,
        ).toEqual([]);
      }
    },
    NO_TIME_LIMIT,
  );
});
