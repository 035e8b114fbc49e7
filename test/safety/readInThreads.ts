/**
 * What an open inspector asks of the reading threads, as one program: index, rows, texts, search, simulation, a database, the two
 * helpers for large files, the rules for secrets. Arguments: the worker's bundle, then transcripts. Prints one line of JSON per transcript.
 */
import { NO_FILTER } from "../../extension/src/core/model/rowQuery";
import { NEVER_CANCELLED } from "../../extension/src/core/ports";
import { searchInWorker } from "../../extension/src/node/searchInWorker";
import { secretFinder } from "../../extension/src/node/secrets";
import { TranscriptSimulation } from "../../extension/src/node/simulateInWorker";
import { TableInWorker } from "../../extension/src/node/tableInWorker";

const [workerFile = "", ...paths] = process.argv.slice(2);
const never = { ...NEVER_CANCELLED, onCancel: () => ({ dispose: () => undefined }) };

async function readOne(path: string): Promise<Readonly<Record<string, unknown>>> {
  const table = new TableInWorker(path, { workerFile, news: () => undefined, trouble: (text) => console.error(text) });
  const { view, end } = await table.ask("read", { anew: true });
  const rows = await table.ask("rows", {
    query: { filter: NO_FILTER, sort: { key: "chars", descending: true }, within: null },
    from: 0,
    count: 5,
    around: null,
    find: [],
    summary: false,
  });
  await table.ask("overview", { thread: null });
  const targets = await table.ask("targets", {});
  let hits = 0;
  const query = { text: "the", regex: false, matchCase: false };
  await searchInWorker(path, targets, query, (step) => (hits += step.hits.length), NEVER_CANCELLED, { workerFile });
  const simulation = new TranscriptSimulation(path, { workerFile });
  const opened = await simulation.ask("open", { thread: null }, undefined, never);
  await simulation.dispose();
  table.dispose();
  await table.ended();
  const simulated = opened !== "dropped" && opened.ok;
  // The rules that find secrets are other people's code.
  const secrets = (await secretFinder().find(`token ghp_${"aB3".repeat(12)}`)).length;
  return { secrets, format: view.header?.format, end, rows: rows.rows.length, hits, simulated };
}

for (const path of paths) console.log(JSON.stringify(await readOne(path)));
