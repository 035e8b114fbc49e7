import { run } from "../../extension/src/cli/main";
import { processIo } from "../../extension/src/cli/processIo";
import { TableInWorker } from "../../extension/src/node/tableInWorker";

/** Milliseconds of each round but the first, which loads and compiles what the others find there. */
async function warm(rounds: number, once: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const began = performance.now();
    await once();
    if (round > 0) times.push(performance.now() - began);
  }
  return times;
}

/** `inspect --summary --json`, run again and again in this process. */
export async function warmSummaries(file: string, rounds: number): Promise<readonly number[]> {
  const io = processIo();
  let written = "";
  const stdout = {
    isTTY: false,
    write: async (text: string) => {
      written += text;
    },
  };
  return warm(rounds, async () => {
    written = "";
    const code = await run(["inspect", file, "--summary", "--json"], { ...io, stdout });
    if (code !== 0 || !written.includes('"totals"')) throw new Error(`inspect ended with ${code}: ${written}`);
  });
}

/** From the question to read the file to its end, asked of one reading thread of the inspector again and again. */
export async function warmReadings(file: string, workerFile: string, rounds: number): Promise<readonly number[]> {
  const table = new TableInWorker(file, {
    workerFile,
    news: () => undefined,
    trouble: (message) => {
      throw new Error(message);
    },
  });
  const times = await warm(rounds, async () => {
    const { end } = await table.ask("read", { anew: true });
    if (end !== "done") throw new Error(`the reading ended as ${end}`);
  });
  table.dispose();
  await table.ended();
  return times;
}
