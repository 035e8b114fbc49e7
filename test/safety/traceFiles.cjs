/**
 * Loaded by `--require` before anything else, in every process that is forked from there and in every thread: writes a line to the file that CONTEXT_BUDGET_TRACE names
 * for every look at a file that a function of the folder CONTEXT_BUDGET_TRACED asks for, and for every change of one.
 */
const childProcess = require("node:child_process");
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { isMainThread } = require("node:worker_threads");
const { fileURLToPath } = require("node:url");

const file = process.env.CONTEXT_BUDGET_TRACE;
const traced = process.env.CONTEXT_BUDGET_TRACED;
if (!file || !traced) throw new Error("CONTEXT_BUDGET_TRACE or CONTEXT_BUDGET_TRACED is not set");

const { appendFileSync } = fs;
const say = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

const CHANGES =
  /^(write|append|mkdir|mkdtemp|rm|rmdir|unlink|rename|truncate|ftruncate|link|symlink|chmod|chown|utimes|lutimes|copyFile|cp|createWriteStream)/;
const LOOKS =
  /^(open|openAsBlob|opendir|readFile|readdir|readlink|realpath|stat|statfs|lstat|access|exists|watch|watchFile|createReadStream)(Sync)?$/;

const textOf = (path) => {
  if (typeof path === "string") return path;
  if (path instanceof URL) return fileURLToPath(path);
  return Buffer.isBuffer(path) ? path.toString() : undefined;
};

let busy = false;
function record(what, args) {
  const path = textOf(args[0]);
  if (busy || path === undefined) return;
  busy = true;
  try {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 60;
    const { stack } = new Error(what);
    Error.stackTraceLimit = stackTraceLimit;
    const writes = CHANGES.test(what.replace("promises.", "")) || (/open(Sync)?$/.test(what) && isWriting(args[1]));
    if (String(stack).includes(traced)) say({ what, path, to: textOf(args[1]), writes, pid: process.pid });
  } finally {
    busy = false;
  }
}

const isWriting = (flags) =>
  typeof flags === "number"
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : /[wa+]/.test(String(flags ?? "r"));

function watchAll(holder, label) {
  for (const name of Object.keys(holder)) {
    const real = holder[name];
    if (typeof real !== "function" || !(LOOKS.test(name) || CHANGES.test(name))) continue;
    const watched = function (...args) {
      record(label + name, args);
      return real.apply(this, args);
    };
    // `realpath.native`, and how `exists` becomes a promise.
    for (const part of Reflect.ownKeys(real)) {
      if (part in watched && typeof part === "string") continue;
      Object.defineProperty(watched, part, { value: real[part], configurable: true });
    }
    if (typeof real.native === "function") {
      watched.native = (...args) => {
        record(label + name, args);
        return real.native(...args);
      };
    }
    holder[name] = watched;
  }
}

watchAll(fs.promises, "promises.");
watchAll(fs, "");

// VS Code takes NODE_OPTIONS from what it starts.
const { fork } = childProcess;
childProcess.fork = (module, ...rest) => {
  const [args, options] = Array.isArray(rest[0]) ? rest : [[], rest[0]];
  const execArgv = options?.execArgv ?? process.execArgv;
  const more = execArgv.includes(__filename) ? execArgv : ["--require", __filename, ...execArgv];
  const env = { ...(options?.env ?? process.env), CONTEXT_BUDGET_TRACE: file, CONTEXT_BUDGET_TRACED: traced };
  return fork(module, args, { ...options, execArgv: more, env });
};
syncBuiltinESMExports();

// Says that it was here: a run without this line proved nothing.
say({ what: "loaded", path: process.argv.slice(1).join(" "), main: isMainThread, pid: process.pid });
