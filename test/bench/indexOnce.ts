import { run } from "../../extension/src/cli/main";
import { processIo } from "../../extension/src/cli/processIo";

/**
 * A program that indexes a transcript once, as `inspect --summary --json` does, and prints the milliseconds from the question to
 * the answer: nothing was compiled, no memory was touched and no thread was started before, but the program is loaded.
 */
async function main([file]: readonly string[]): Promise<void> {
  if (file === undefined) throw new Error("name a transcript");
  let written = "";
  const stdout = {
    isTTY: false,
    write: async (text: string) => {
      written += text;
    },
  };
  const io = { ...processIo(), stdout };
  const began = performance.now();
  const code = await run(["inspect", file, "--summary", "--json"], io);
  const ms = performance.now() - began;
  if (code !== 0 || !written.includes('"totals"')) throw new Error(`inspect ended with ${code}: ${written}`);
  process.stdout.write(JSON.stringify([ms]));
}

void main(process.argv.slice(2));
