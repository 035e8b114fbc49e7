/**
 * The part of the soak test that runs in one process: `node --expose-gc soak.mjs --minutes N --seed S --folder DIR`. Prints what
 * it measured and ends with 1 when something is lost, left over, or grows.
 */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { seeded } from "../bench/configText";
import { askAsAgent } from "./agents";
import { serveOnce } from "./configServer";
import { canWriteDatabases, HermesDatabase } from "./database";
import { childProcesses, kindsNow, type Sample, sampleNow, threadCount } from "./measure";
import { type Chance, CLAUDE, CODEX, Lines, OneValue, type Written } from "./transcripts";
import { lookAtSessions } from "./tree";
import { type Bounds, FEWEST_VALUES, trendOf } from "./trend";
import { Watching, type World } from "./watching";

const { values } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" }, folder: { type: "string" } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const folder = values.folder ?? "";
const dist = import.meta.dirname;

/** Steps of the writers between two quiet points. */
const STEPS = 30;
/** Threads and handles that were let go of are gone after so long, milliseconds. */
const LET_GO_MS = 20_000;
const MB = 1_000_000;
const BOUNDS: Readonly<Record<keyof Sample, Bounds>> = {
  heap: { warmUp: 0.3, absolute: 1.5 * MB, share: 0.05 },
  resident: { warmUp: 0.5, absolute: 40 * MB, share: 0.15 },
  files: { warmUp: 0.3, absolute: 0, share: 0 },
  threads: { warmUp: 0.3, absolute: 0, share: 0 },
  resources: { warmUp: 0.3, absolute: 0, share: 0 },
  listeners: { warmUp: 0.3, absolute: 0, share: 0 },
  temporary: { warmUp: 0, absolute: 0, share: 0 },
  children: { warmUp: 0, absolute: 0, share: 0 },
};

const random = seeded(seed);
const chance: Chance = (low, high) => low + Math.floor(random() * (high - low + 1));
/** What is wrong, each kind once with how often it was met. */
const wrong = new Map<string, number>();
const counts = new Map<string, number>();
const count = (map: Map<string, number>, what: string): void => void map.set(what, (map.get(what) ?? 0) + 1);
const told = new Map<string, number>();
const plain = (text: string): string => text.replaceAll(folder, "…").replace(/\d+/g, "N");

process.on("unhandledRejection", (error) => count(wrong, `unhandled rejection: ${describe(error)}`));
process.on("uncaughtException", (error) => count(wrong, `uncaught exception: ${describe(error)}`));
process.on("warning", (warning) => count(wrong, `warning: ${warning.message}`));
const describe = (error: unknown): string =>
  plain(error instanceof Error ? (error.stack ?? error.message) : String(error));

const temporary = join(folder, "temporary");
const projects = join(folder, "projects", "-w");
const world: World = {
  workerFile: join(dist, "worker.mjs"),
  store: join(folder, "store"),
  home: join(folder, "home"),
  temporary,
  log: {
    info: () => undefined,
    warn: (message) => count(told, plain(message)),
    error: (message, error) => count(wrong, `log: ${plain(message)}: ${describe(error)}`),
  },
};
for (const one of [temporary, projects, world.home, world.store]) mkdirSync(one, { recursive: true });
if (!canWriteDatabases) console.log("no database with a write-ahead log is written: python3 with sqlite3 is not there");

const writers = (): readonly Written[] => [
  new Lines(join(projects, "0f8fad5b-d9cb-469f-a165-70867728950e.jsonl"), CLAUDE),
  new Lines(join(folder, "rollout-2026-02-03T04-05-06-0f8fad5b.jsonl"), CODEX),
  new OneValue(join(folder, "session_20260908_090003_1c40de.json")),
  ...(canWriteDatabases ? [new HermesDatabase(join(folder, "state.db"))] : []),
];

/** What is open all the time, so that growth in its thread shows in the memory of the process. */
const lasting = new Lines(join(folder, "lasting.jsonl"), CLAUDE);
const lastingView = new Watching(lasting.path, world);

async function round(): Promise<void> {
  const all = writers();
  for (const writer of all) await writer.rest(chance);
  const views = new Map(all.map((writer) => [writer, new Watching(writer.path, world)]));
  const disturbances: Promise<unknown>[] = [];
  for (let step = 0; step < STEPS; step++) {
    for (const writer of [...all, lasting]) {
      count(counts, await writer.step(chance));
      const view = views.get(writer);
      if (view === undefined || chance(0, 3) > 0) continue;
      if (chance(0, 9) === 0) {
        // Closed in the middle of whatever it does, and opened again.
        view.dispose();
        views.set(writer, new Watching(writer.path, world));
        count(counts, "closed and opened");
        continue;
      }
      disturbances.push(
        view.disturb(chance).then(
          (what) => count(counts, what),
          (error: unknown) => {
            // What was closed meanwhile has no answer any more, and a file that was removed cannot be searched.
            if (!/not open any more|was closed|Searching .* ENOENT/.test(String(error)))
              count(wrong, `asking: ${describe(error)}`);
          },
        ),
      );
    }
    // As often as writers write, so that watchers, looks and rests fall between all kinds of steps.
    await new Promise((resolve) => setTimeout(resolve, chance(0, 60)));
  }
  const [first] = all;
  if (first !== undefined) {
    const answered = await askAsAgent(folder, first.path, world, chance);
    for (let n = 0; n < answered; n++) count(counts, "answered an agent");
  }
  for (const kill of [true, false]) {
    const problem = await serveOnce(join(dist, "server.mjs"), kill);
    count(counts, kill ? "server killed" : "server ended");
    if (problem !== undefined) count(wrong, `language server: ${plain(problem)}`);
  }
  // It may have been removed by its last step.
  for (const writer of all) await writer.rest(chance);
  const listed = await lookAtSessions(join(folder, "projects"), join(folder, "sessions"), world.log);
  if (listed !== 1) count(wrong, `the tree lists ${listed} sessions instead of 1`);
  await Promise.all(disturbances);
  for (const writer of [...all, lasting]) {
    await writer.rest(chance);
    const view = writer === lasting ? lastingView : views.get(writer);
    const different = await view?.difference(await writer.read());
    count(counts, "compared");
    if (different !== undefined) count(wrong, `${plain(writer.path)} is shown otherwise than it is: ${different}`);
  }
  for (const view of views.values()) view.dispose();
  for (const writer of all) await writer.end();
}

/** Waits until what was let go of is gone. */
async function settled({ threads, resources }: Pick<Sample, "threads" | "resources">): Promise<void> {
  const until = Date.now() + LET_GO_MS;
  const isBusy = (): boolean => threadCount() > threads || process.getActiveResourcesInfo().length > resources;
  while (isBusy() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
}

const samples: Sample[] = [];
const began = Date.now();
const least = { threads: Number.POSITIVE_INFINITY, resources: Number.POSITIVE_INFINITY };
const kinds: ReadonlyMap<string, number>[] = [];
while (Date.now() - began < minutes * 60_000 || samples.length < FEWEST_VALUES * 2) {
  await round();
  // The first round tells how many threads stay: of the engine, of its pool, and of what is open all the time.
  if (samples.length === 0) await new Promise((resolve) => setTimeout(resolve, 3_000));
  else await settled(least);
  const sample = sampleNow(temporary);
  kinds.push(kindsNow());
  least.threads = Math.min(least.threads, sample.threads);
  least.resources = Math.min(least.resources, sample.resources);
  samples.push(sample);
  if (samples.length % 5 === 1)
    console.log(
      `${((Date.now() - began) / 1000).toFixed(0).padStart(5)} s  round ${samples.length}: heap ${(sample.heap / MB).toFixed(1)} MB, resident ${(sample.resident / MB).toFixed(0)} MB, files ${sample.files}, threads ${sample.threads}, resources ${sample.resources}, listeners ${sample.listeners}, temporary ${sample.temporary}, children ${sample.children}`,
    );
}
lastingView.dispose();
lasting.end();
rmSync(`${lasting.path}.1`, { force: true });

console.log(`\n${samples.length} rounds in ${((Date.now() - began) / 60_000).toFixed(1)} minutes`);
console.log(
  [...counts]
    .sort()
    .map(([what, times]) => `${what} ${times}`)
    .join(", "),
);
for (const name of Object.keys(BOUNDS) as (keyof Sample)[]) {
  const trend = trendOf(
    name,
    samples.map((sample) => sample[name]),
    BOUNDS[name],
  );
  const unit = name === "heap" || name === "resident" ? MB : 1;
  const figure = (value: number): string => (value / unit).toFixed(unit === 1 ? 0 : 2);
  const { values } = trend;
  console.log(
    `${trend.isFlat ? "flat  " : "GROWS "} ${name.padEnd(10)} first ${figure(values[0] ?? 0)}, last ${figure(values.at(-1) ?? 0)}, rise ${figure(trend.rise)}, allowed ${figure(trend.allowed)}${unit === 1 ? "" : " MB"}`,
  );
  if (!trend.isFlat) count(wrong, `${name} grows`);
}
if ([...wrong.keys()].some((what) => what.endsWith(" grows"))) {
  const early = kinds[kinds.length >> 1];
  for (const [kind, number] of kinds.at(-1) ?? [])
    if (number > (early?.get(kind) ?? 0)) console.log(`more than in the middle: ${kind} ${number}`);
}
const orphans = childProcesses();
if (orphans.length > 0) count(wrong, `${orphans.length} processes are left`);
for (const [message, times] of told) console.log(`told ${times} times: ${message}`);
for (const [what, times] of wrong) console.log(`WRONG ${times} times: ${what}`);
console.log(wrong.size === 0 ? "nothing lost, nothing left" : `${wrong.size} kinds of things are wrong`);
process.exitCode = wrong.size === 0 ? 0 : 1;
if (dirname(temporary) !== folder) throw new Error("the temporary folder is not the run's own");
