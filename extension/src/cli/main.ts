import { readArgs, showsSecrets } from "./args";
import { runInspect } from "./inspect";
import { type CliIo, Outcome, OutputFailed, PipeClosed } from "./io";
import { maskedIo, openIo } from "./maskedIo";

/**
 * Runs `context-budget` with the arguments after the script's name and resolves to its exit code: 0 clean, 1 problems of
 * error severity, 2 usage error or something unreadable. Never rejects for what users or files do; a reader that closes
 * our output ends the run quietly.
 */
export async function run(argv: readonly string[], world: CliIo): Promise<number> {
  let io = maskedIo(world);
  const outcome = new Outcome();
  try {
    const command = readArgs(argv);
    if (!command.ok) {
      outcome.unusable();
      await io.stderr.write(`context-budget: ${command.error}\nTry: context-budget --help\n`);
      return outcome.code;
    }
    // Reading the command line again takes longer than looking at its words.
    if (argv.includes("--show-secrets") && showsSecrets(argv)) io = openIo(world);
    switch (command.value.name) {
      case "help":
        await world.stdout.write((await import("./help")).help(command.value.about));
        break;
      case "version":
        await world.stdout.write(`${world.version()}\n`);
        break;
      case "check":
        await (await import("./otherCommands")).runCheck(command.value, io, outcome);
        break;
      case "inspect":
        await runInspect(command.value, io, outcome);
        break;
      case "simulate":
        await (await import("./otherCommands")).runSimulate(command.value, io, outcome);
        break;
      case "ab":
        await (await import("./otherCommands")).runAb(command.value, io, outcome);
        break;
      case "mcp":
        // Its protocol is a fifth of the bundle, and no other command needs it.
        await (await import("./mcp")).runMcp(command.value, io);
        break;
    }
  } catch (error) {
    if (error instanceof PipeClosed) return outcome.code;
    if (!(error instanceof OutputFailed)) throw error;
    outcome.unusable();
    await complain(error.message, io);
  }
  return outcome.code;
}

/** Says a last word on the error stream, which may be as broken as the output. */
async function complain(message: string, io: CliIo): Promise<void> {
  try {
    await io.stderr.write(`context-budget: ${message}\n`);
  } catch (error) {
    // Nobody is left to hear it; the exit code still tells.
    if (!(error instanceof PipeClosed || error instanceof OutputFailed)) throw error;
  }
}
