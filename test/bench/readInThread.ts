import { TableInWorker } from "../../extension/src/node/tableInWorker";

/**
 * A program that reads a transcript the way the inspector does, in its reading thread, so that the memory of it can be measured from
 * outside. Arguments: the transcript, the worker's bundle, and a folder for the stored index, without which none is stored.
 */
async function main([file, workerFile, folder]: readonly string[]): Promise<void> {
  if (file === undefined || workerFile === undefined) throw new Error("name a transcript and the worker's bundle");
  const table = new TableInWorker(file, {
    workerFile,
    ...(folder === undefined ? {} : { store: { folder, limitBytes: 1_000_000_000, version: "bench" } }),
    news: () => undefined,
    trouble: (message) => {
      throw new Error(message);
    },
  });
  const { view, end } = await table.ask("read", { anew: true });
  // Another look waits for the index to be stored.
  if (folder !== undefined) await table.ask("look", {});
  table.dispose();
  await table.ended();
  process.stdout.write(JSON.stringify({ end, results: view.count }));
}

void main(process.argv.slice(2));
