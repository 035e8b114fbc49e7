/**
 * Runs a command and ends it, with everything that it started, when the process that asked for it is gone, however that
 * one ended: its end of our standard input closes then. Usage: node guard.mjs COMMAND ARGUMENT…, as leader of its own
 * process group.
 */
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error("the guard needs a command");
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

function endAll() {
  if (process.platform === "win32") child.kill();
  else process.kill(-process.pid, "SIGKILL");
}

process.stdin.on("end", endAll);
process.stdin.on("error", endAll);
process.stdin.resume();
child.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
child.on("exit", (code) => process.exit(code ?? 1));
