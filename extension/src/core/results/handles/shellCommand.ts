import type { ReadPart } from "../../model/resultHandle";

/** Programs that print what is in a file that they are given. */
const PRINT = new Set([
  "awk",
  "bat",
  "batcat",
  "cat",
  "cut",
  "egrep",
  "fgrep",
  "gawk",
  "get-content",
  "grep",
  "head",
  "hexdump",
  "jq",
  "less",
  "more",
  "nl",
  "od",
  "rg",
  "sed",
  "select-string",
  "sort",
  "strings",
  "tac",
  "tail",
  "type",
  "uniq",
  "wc",
  "xxd",
  "zcat",
]);
/** Programs that a path is given to for another reason than its contents. */
const DO_NOT_READ = new Set([
  "basename",
  "cd",
  "chmod",
  "chown",
  "dirname",
  "du",
  "echo",
  "export",
  "find",
  "ls",
  "mkdir",
  "mv",
  "printf",
  "readlink",
  "realpath",
  "rm",
  "rmdir",
  "stat",
  "test",
  "touch",
  "unlink",
]);
/** Words that stand before the program itself. */
const BEFORE = new Set([
  "sudo",
  "time",
  "nice",
  "env",
  "command",
  "exec",
  "!",
  "then",
  "do",
  "else",
  "if",
  "while",
  "(",
  "{",
]);

export interface CommandUse {
  /** yes: it prints what is in the file · maybe: that cannot be told from the words · no: it does something else with the path. */
  readonly reads: "yes" | "maybe" | "no";
  readonly part: ReadPart | undefined;
}

/**
 * What a command line does with a path that it names between two offsets. Only the simple command around the path is looked at;
 * the shell's quoting is followed as far as it decides where commands end.
 */
export function commandUse(line: string, start: number, end: number): CommandUse {
  const { from, to } = simpleCommand(line, start, end);
  const before = line.slice(from, start);
  if (/>\s*["']?$/.test(before)) return { reads: "no", part: undefined };
  const words = line.slice(from, to).trim().split(/\s+/);
  let at = 0;
  while (at < words.length && (BEFORE.has(words[at] ?? "") || /^\w+=/.test(words[at] ?? ""))) at++;
  const program = (words[at] ?? "")
    .replace(/^.*[/\\]/, "")
    .replace(/\.exe$/i, "")
    .toLowerCase();
  if (DO_NOT_READ.has(program)) return { reads: "no", part: undefined };
  if (!PRINT.has(program)) return { reads: "maybe", part: undefined };
  const rest = words.slice(at + 1);
  // It writes to the file that it reads and prints nothing.
  if (program === "sed" && rest.some((word) => /^(-i|--in-place)/.test(word))) return { reads: "no", part: undefined };
  return { reads: "yes", part: linesOf(program, rest) };
}

/** From the last separator outside quotes before the path to the next one behind it. */
function simpleCommand(line: string, start: number, end: number): { readonly from: number; readonly to: number } {
  let from = 0;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (c === "\\" && quote !== "'") {
      i++;
      continue;
    }
    if (quote !== "") {
      if (c === quote) quote = "";
      continue;
    }
    if (c === '"' || c === "'") {
      quote = c;
      continue;
    }
    const separates =
      c === ";" || c === "|" || c === "\n" || (c === "&" && line.charAt(i - 1) !== ">" && line.charAt(i + 1) !== ">");
    if (!separates) continue;
    if (i >= end) return { from, to: i };
    if (i < start) from = i + 1;
  }
  return { from, to: line.length };
}

/** Lines that `sed -n 'A,Bp'` and `head` ask for; undefined where the words do not say it plainly. */
function linesOf(program: string, words: readonly string[]): ReadPart | undefined {
  if (program === "sed") {
    if (!words.includes("-n")) return undefined;
    for (const word of words) {
      const [, from, to] = /^["']?(\d{1,9})(?:,(\d{1,9}))?p["']?$/.exec(word) ?? [];
      if (from !== undefined) return { unit: "lines", from: Number(from), to: Number(to ?? from) + 1 };
    }
    return undefined;
  }
  if (program !== "head") return undefined;
  for (const [at, word] of words.entries()) {
    const [, count] = /^(?:-n|--lines=)?-?(\d{1,9})$/.exec(word) ?? [];
    const isCount = word.startsWith("-") || words[at - 1] === "-n";
    if (count !== undefined && isCount) return { unit: "lines", from: 1, to: Number(count) + 1 };
  }
  return words.some((word) => word.startsWith("-")) ? undefined : { unit: "lines", from: 1, to: 11 };
}
