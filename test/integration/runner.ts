import { writeFileSync } from "node:fs";
import process from "node:process";

/** A test file and how to load it; loading declares its suites. */
export type SuiteFile = readonly [name: string, load: () => Promise<unknown>];

/** What the outside reads after the run, from the file that CONTEXT_BUDGET_RESULTS names. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Begins each line of ours, among everything else that an extension host prints. */
const MARK = "[test] ";
const say = (text: string) => console.log(`${MARK}${text}`);

/** Longest single test, milliseconds. */
const TEST_MS = 120_000;

/** Runs all files inside the extension host. Rejects when a test failed or none was found. */
export async function runSuite(files: readonly SuiteFile[]): Promise<void> {
  process.setSourceMapsEnabled(true);
  // Loaded by import(): an ES module, which the Node of older desktop releases cannot require.
  // Its base reporter prints nothing.
  const { default: Mocha } = await import("mocha");
  const mocha = new Mocha({ ui: "bdd", timeout: TEST_MS, forbidOnly: true, reporter: Mocha.reporters.Base });
  const grep = process.env["CONTEXT_BUDGET_GREP"];
  if (grep) mocha.fgrep(grep);
  for (const [name, load] of files) {
    mocha.suite.emit("pre-require", globalThis, name, mocha);
    const before = mocha.suite.total();
    await load();
    if (mocha.suite.total() === before) throw new Error(`${name} declares no test`);
  }
  const results = { passed: 0, failed: 0, skipped: 0 };
  await new Promise<void>((done) => {
    const runner = mocha.run(() => done());
    runner.on("suite", (suite) => say(`${"  ".repeat(depth(suite))}${suite.title}`));
    runner.on("pass", (test) => {
      results.passed += 1;
      say(`${"  ".repeat(depth(test.parent))}  ✓ ${test.title} (${test.duration ?? 0} ms)`);
    });
    runner.on("pending", (test) => {
      results.skipped += 1;
      say(`${"  ".repeat(depth(test.parent))}  - ${test.title}: skipped`);
    });
    runner.on("fail", (test, error) => {
      results.failed += 1;
      say(`${"  ".repeat(depth(test.parent))}  ✗ ${test.fullTitle()}\n${error.stack ?? String(error)}`);
    });
  });
  const file = process.env["CONTEXT_BUDGET_RESULTS"];
  if (file) writeFileSync(file, JSON.stringify(results satisfies Results));
  if (results.failed > 0) throw new Error(`${results.failed} integration tests failed`);
  if (results.passed === 0) throw new Error("no integration test ran");
}

function depth(suite: { readonly parent?: unknown } | undefined): number {
  let levels = 0;
  for (let at = suite; at?.parent; at = at.parent as typeof at) levels += 1;
  return Math.max(0, levels - 1);
}
