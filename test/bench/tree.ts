import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { claudeSessions } from "../claudeSessions";
import { printTable, spread, type Verdict } from "./statistics";
import { watchTurns } from "./turns";

/** Longest time for which the sessions may keep the extension host from other work, milliseconds. */
const BLOCK_MS = 50;
/** Until the tree shows every session with its name, time and size, milliseconds. */
const LISTED_MS = 2_000;
/** Bytes of one session; the middle is a hole, which nobody reads. */
const SESSION_BYTES = 70_000;
const PROJECTS = 100;

interface Round {
  readonly listed: number;
  readonly detailed: number;
  /** Most work of the thread between two turns of its event loop; on a busy machine other processes make the turns longer. */
  readonly block: number;
}

/** A folder of many sessions: listed by stat, then read at both ends, then from what the last window kept. */
export async function benchTree(options: {
  readonly folder: string;
  readonly sessions: number;
  readonly rounds: number;
}): Promise<readonly Verdict[]> {
  const root = join(options.folder, "tree");
  writeSessions(root, options.sessions);
  const store = join(options.folder, "sessions");
  const first: Round[] = [];
  const again: Round[] = [];
  for (let round = 0; round < options.rounds; round++) {
    rmSync(store, { force: true });
    first.push(await look(root, store, options.sessions));
    again.push(await look(root, store, options.sessions));
  }
  const row = (name: string, rounds: readonly Round[], pick: (round: Round) => number): readonly string[] => {
    const { min, median, max } = spread(rounds.map(pick));
    return [name, min.toFixed(0), median.toFixed(0), max.toFixed(0)];
  };
  const megabytes = (options.sessions * SESSION_BYTES) / 1e6;
  console.log(
    `\ntree of ${options.sessions.toLocaleString("en-US")} sessions, ${megabytes.toFixed(0)} MB, in ${PROJECTS} folders, ms, ${options.rounds} rounds`,
  );
  printTable([
    ["", "min", "median", "max"],
    row("all listed", first, ({ listed }) => listed),
    row("all projects and titles", first, ({ detailed }) => detailed),
    row("longest block", first, ({ block }) => block),
    row("next window: all projects and titles", again, ({ detailed }) => detailed),
    row("next window: longest block", again, ({ block }) => block),
  ]);
  const listed = spread(first.map((round) => round.listed)).median;
  const block = Math.max(...[first, again].map((rounds) => spread(rounds.map((round) => round.block)).min));
  const count = options.sessions.toLocaleString("en-US");
  return [
    {
      goal: `${count} sessions listed within ${LISTED_MS} ms (median)`,
      measured: `${listed.toFixed(0)} ms`,
      met: listed <= LISTED_MS,
    },
    {
      goal: `event loop never blocked over ${BLOCK_MS} ms (best round)`,
      measured: `${block.toFixed(0)} ms`,
      met: block <= BLOCK_MS,
    },
  ];
}

async function look(root: string, store: string, count: number): Promise<Round> {
  const index = claudeSessions(root, store, { info: () => undefined, warn: console.warn, error: console.error });
  let listed: number | undefined;
  const began = performance.now();
  index.onChanged(() => {
    if (
      index.places("c").reduce((sum, { sessions }) => sum + sessions.length, 0) === count &&
      index.phase("c") === "done"
    )
      listed ??= performance.now() - began;
  });
  const turns = watchTurns();
  await index.settled();
  const detailed = performance.now() - began;
  const block = turns.stop();
  const places = index.places("c");
  index.dispose();
  const titled = index.found("c").sessions.filter(({ path }) => index.details(path)?.title !== undefined).length;
  if (
    listed === undefined ||
    titled !== count ||
    places.length !== PROJECTS ||
    places[0]?.label.startsWith("p-") !== true
  )
    throw new Error(`listed ${listed}, ${titled} of ${count} with a title, ${places.length} places`);
  return { listed, detailed, block };
}

function writeSessions(root: string, count: number): void {
  for (let n = 0; n < count; n++) {
    const project = n % PROJECTS;
    const folder = join(root, `-home-ada-p-${project}`);
    if (n < PROJECTS) mkdirSync(folder, { recursive: true });
    const id = `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const common = { uuid: id, sessionId: id, cwd: `/home/ada/p-${project}`, version: "2.1.39" };
    const line = (more: object): string => `${JSON.stringify({ ...common, ...more })}\n`;
    const head =
      line({ type: "user", message: { role: "user", content: `Task ${n} ${"x".repeat(2_000)}` } }) +
      line({ type: "assistant", message: { id: "m", role: "assistant", model: "claude-opus-4-6", content: [] } });
    const usage = { input_tokens: 4, cache_read_input_tokens: 1_000 + n, cache_creation_input_tokens: 9 };
    const tail = `\n${line({ type: "assistant", message: { id: "n", role: "assistant", model: "claude-opus-4-6", usage } })}`;
    const file = openSync(join(folder, `${id}.jsonl`), "w");
    writeSync(file, head);
    ftruncateSync(file, SESSION_BYTES - tail.length);
    writeSync(file, tail, SESSION_BYTES - tail.length);
    closeSync(file);
  }
}
