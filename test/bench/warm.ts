import { TableInWorker } from "../../extension/src/node/tableInWorker";

/**
 * Milliseconds from the question to read the file to its end, asked of one reading thread of the inspector again and again; but the
 * first time, which loads and compiles what the others find there.
 */
export async function warmReadings(file: string, workerFile: string, rounds: number): Promise<readonly number[]> {
  const table = new TableInWorker(file, {
    workerFile,
    news: () => undefined,
    trouble: (message) => {
      throw new Error(message);
    },
  });
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const began = performance.now();
    const { end } = await table.ask("read", { anew: true });
    if (end !== "done") throw new Error(`the reading ended as ${end}`);
    if (round > 0) times.push(performance.now() - began);
  }
  table.dispose();
  await table.ended();
  return times;
}
