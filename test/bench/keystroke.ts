import { join } from "node:path";
import { configText, keystrokes } from "./configText";
import { BenchServer } from "./languageServer";
import { percentile, printTable, type Spread, spread, type Verdict } from "./statistics";

/** yaml-language-server waits this long after a keystroke before it validates (yamlSettings `validationDelayMs`). */
const YAML_DELAY_MS = 200;
/** Share of yaml-language-server's time that ours may take at the 95th percentile. */
const GOAL = 1 / 5;

/**
 * From a keystroke to the diagnostics of the text it made, over stdio: our server and yaml-language-server, each in its own
 * process, take turns at the same keystrokes on the same text.
 */
export async function benchKeystrokes(options: {
  readonly root: string;
  readonly server: string;
  readonly count: number;
}): Promise<readonly Verdict[]> {
  const text = configText();
  const edits = keystrokes(text, options.count + WARM_UP);
  const ours = await BenchServer.start([process.execPath, options.server, "--stdio"], OUR_SETTINGS, OUR_OPTIONS);
  const theirs = await BenchServer.start(
    [process.execPath, join(options.root, "node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"],
    { yaml: { validate: true, yamlVersion: "1.1", schemaStore: { enable: false } } },
    {},
  );
  const times = { ours: [] as number[], theirs: [] as number[] };
  let seen = 0;
  try {
    await ours.open(text);
    await theirs.open(text);
    for (const [index, edit] of edits.entries()) {
      const own = await ours.type(edit);
      seen = Math.max(seen, ours.last);
      const other = await theirs.type(edit);
      if (index < WARM_UP) continue;
      times.ours.push(own);
      times.theirs.push(other);
    }
    const own = spread(times.ours);
    const other = spread(times.theirs);
    const net = spread(times.theirs.map((time) => time - YAML_DELAY_MS));
    const ratio = blockRatio(times.ours, times.theirs, 0);
    const netRatio = blockRatio(times.ours, times.theirs, YAML_DELAY_MS);
    const ms = (value: number): string => value.toFixed(1);
    console.log(
      `\nKeystroke to diagnostics, ms: config of ${text.length.toLocaleString("en-US")} characters, ${options.count} keystrokes each`,
    );
    printTable([
      ["", "min", "p50", "p95", "max", "peak MB"],
      ["context-budget", ms(own.min), ms(own.median), ms(own.p95), ms(own.max), mb(ours.peakBytes())],
      ["yaml-language-server", ms(other.min), ms(other.median), ms(other.p95), ms(other.max), mb(theirs.peakBytes())],
      ["  without its 200 ms wait", ms(net.min), ms(net.median), ms(net.p95), ms(net.max), ""],
    ]);
    console.log();
    printTable([
      ["ratio of p95", "min", "median", "max"],
      [`  over ${BLOCKS} stretches`, ratio.min.toFixed(3), ratio.median.toFixed(3), ratio.max.toFixed(3)],
      ["  without its 200 ms wait", netRatio.min.toFixed(3), netRatio.median.toFixed(3), netRatio.max.toFixed(3)],
    ]);
    return [
      {
        goal: "keystroke p95 at most 1/5 of yaml-language-server (median stretch)",
        measured: ratio.median.toFixed(3),
        met: ratio.median <= GOAL,
      },
      // A server that says nothing is fast; the keystrokes pass through `20000e4`, which must be reported.
      { goal: "our server reports the wrong value on the way", measured: `${seen} diagnostics`, met: seen > 0 },
    ];
  } finally {
    await Promise.allSettled([ours.stop(), theirs.stop()]);
  }
}

/** Ratios of the 95th percentiles within stretches of the run, so that one hiccup of the machine spoils one stretch only. */
function blockRatio(ours: readonly number[], theirs: readonly number[], delay: number): Spread {
  const length = Math.ceil(ours.length / BLOCKS);
  return spread(
    Array.from({ length: BLOCKS }, (_, block) => {
      const [from, to] = [block * length, (block + 1) * length];
      const other = theirs.slice(from, to).map((time) => time - delay);
      return percentile(ours.slice(from, to), 0.95) / percentile(other, 0.95);
    }),
  );
}

const BLOCKS = 5;
const WARM_UP = 12;
const SETTINGS = { loader: "ruamel", files: [], contextLength: null };
const OUR_SETTINGS = { contextBudget: SETTINGS };
const OUR_OPTIONS = { version: 1, homes: ["/bench/.hermes"], settings: SETTINGS };

function mb(bytes: number | undefined): string {
  return bytes === undefined ? "–" : (bytes / 1e6).toFixed(0);
}
