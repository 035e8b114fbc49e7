import { FORMATS } from "./args";

/** Longest line of the help, in characters. */
const WIDTH = 96;

/** A list of names, separated by commas, broken into indented lines. */
function wrapped(names: readonly string[], indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const [index, name] of names.entries()) {
    const item = index < names.length - 1 ? `${name},` : name;
    if (line !== "" && indent.length + line.length + 1 + item.length > WIDTH) {
      lines.push(indent + line);
      line = item;
    } else line = line === "" ? item : `${line} ${item}`;
  }
  return [...lines, indent + line].join("\n");
}

const HEAD = `context-budget: what an agent does with its tool results

  context-budget check FILE… [--loader pyyaml|ruamel] [--context-length N] [--json]
  context-budget inspect PATH [--format NAME] [--summary] [--json]
  context-budget --help | --version
`;

const CHECK = `
check   reads agent config files as the agent's own loader does and says what becomes of
        tools.tool_result_persist_threshold_chars
  --loader NAME         ruamel (newer Hermes, the default) or pyyaml (older Hermes)
  --context-length N    context window in tokens where the file states none
  --json                one array, one element per file, in order
`;

const INSPECT = `
inspect lists the tool results of a transcript, or of every transcript below a folder: state,
        sizes, path or handle, and whether the spill file is still there
  --format NAME         read as this format instead of detecting it from the content:
${wrapped(FORMATS, "                        ")}
  --summary             totals only; memory stays bounded however long the transcript is
  --json                one object for a transcript, one array for a folder
`;

const TAIL = `
exit    0 clean, 1 problems of error severity, 2 usage error or something unreadable
JSON    is described by schemas/report.schema.json
`;

/** Usage text; ends in a line end. */
export function help(about: "all" | "check" | "inspect"): string {
  return HEAD + (about === "inspect" ? "" : CHECK) + (about === "check" ? "" : INSPECT) + TAIL;
}
