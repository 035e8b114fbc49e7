import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchCompaction } from "./compaction";
import { benchKeystrokes } from "./keystroke";
import { benchReopen } from "./reopen";
import { benchRows } from "./rows";
import { benchScale } from "./scale";
import type { Verdict } from "./statistics";
import { benchTranscript } from "./transcript";
import { benchTree } from "./tree";
import { benchWhatIf } from "./whatIf";

/** Runs the measurements asked for; resolves to the exit code: 1 when a goal is missed. */
export async function bench(
  argv: readonly string[],
  paths: { readonly root: string; readonly bundles: string },
): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { quick: { type: "boolean" }, only: { type: "string" }, scale: { type: "boolean" } },
  });
  const quick = values.quick === true;
  const folder = mkdtempSync(join(tmpdir(), "context-budget-bench-"));
  const verdicts: Verdict[] = [];
  try {
    const wants = (name: string): boolean => values.only === undefined || values.only === name;
    if (wants("compaction")) verdicts.push(...benchCompaction(quick));
    if (wants("whatif"))
      verdicts.push(...(await benchWhatIf({ worker: join(paths.bundles, "worker.mjs"), folder, quick })));
    if (wants("keystroke")) {
      verdicts.push(
        ...(await benchKeystrokes({
          root: paths.root,
          server: join(paths.bundles, "server.mjs"),
          count: quick ? 30 : 200,
        })),
      );
    }
    if (wants("transcript")) {
      verdicts.push(
        ...benchTranscript({
          root: paths.root,
          cli: join(paths.bundles, "cli.mjs"),
          folder,
          bytes: quick ? 10_000_000 : 100_000_000,
          rounds: quick ? 3 : 7,
        }),
      );
    }
    if (wants("reopen")) {
      verdicts.push(
        ...(await benchReopen({
          worker: join(paths.bundles, "worker.mjs"),
          folder,
          bytes: quick ? 50_000_000 : 500_000_000,
          rounds: quick ? 3 : 5,
        })),
      );
    }
    if (wants("rows")) verdicts.push(...benchRows({ rows: quick ? 100_000 : 1_000_000, rounds: 5 }));
    if (wants("tree"))
      verdicts.push(...(await benchTree({ folder, sessions: quick ? 1_000 : 10_000, rounds: quick ? 2 : 3 })));
    // Writes half a gigabyte, so it runs when asked for.
    if (values.scale === true || values.only === "scale") {
      verdicts.push(
        ...(await benchScale({
          root: paths.root,
          cli: join(paths.bundles, "cli.mjs"),
          worker: join(paths.bundles, "worker.mjs"),
          index: join(paths.bundles, "indexOnce.cjs"),
          thread: join(paths.bundles, "readInThread.cjs"),
          folder,
          bytes: quick ? 100_000_000 : 500_000_000,
          rounds: quick ? 3 : 5,
        })),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log();
  for (const { goal, measured, met } of verdicts) console.log(`  ${met ? "met   " : "MISSED"}  ${goal}: ${measured}`);
  if (quick) console.log("  (--quick: a sanity run; goals are meant for the full run)");
  return verdicts.every((verdict) => verdict.met) ? 0 : 1;
}
