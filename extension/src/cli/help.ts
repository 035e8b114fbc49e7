import { PRESETS } from "../core/compaction/policy";
import { type Command, FORMATS } from "./args";

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
  context-budget simulate PATH [--thread ID] [--persist N|auto] [--prune T,H,T2]
                 [--micro K[,BUDGET]] [--preset NAME]… [--context-length N] [--curve]
                 [--format NAME] [--json]
  context-budget ab TRANSCRIPT [--thread ID] [--thresholds N,N,…] [--baseline N]
                 [--context-length N] [--format NAME] [--json]
  context-budget ab --log FILE… [--db FILE] [--since ISO] [--until ISO] [--utc-offset MINUTES]
                 [--thresholds N,N,…] [--baseline N] [--context-length N] [--json]
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

const SIMULATE = `
simulate
        says what policies would have kept out of the requests of one thread, and what that does
        to the prompt cache; policies apply in the order given, each to what is left by then
  --thread ID           needed where a transcript has several threads
  --persist N|auto      results above N characters become a preview with a path (auto: as Hermes
                        scales it with the context window)
  --prune T,H,T2        results above T characters keep their first H and last T2
  --micro K[,BUDGET]    all but the newest K results are blanked, above BUDGET tokens if given
  --preset NAME         what another harness does, may be given more than once:
${wrapped(
  PRESETS.map(({ id }) => id),
  "                        ",
)}
  --context-length N    context window in tokens
  --curve               what every threshold saves
  --format NAME         as for inspect
  --json                one object with the ledger of every call
`;

const AB = `
ab      compares persist thresholds over recorded calls and results: an upper bound on logical
        input, not a bill
  --log FILE            Hermes agent.log, once per rotation; the order does not matter
  --db FILE             tool results for the log: state.db, or the hermes-web-ui database
  --since, --until ISO  bounds, both inclusive: 2026-09-07, 2026-09-07T14:30:00+02:00
  --utc-offset MINUTES  of the times in the log, east of UTC positive (--utc-offset=-300), or 0
  --thresholds N,N,…    candidates in characters
  --baseline N          threshold they are compared with, or that of the context window
  --context-length N    context window in tokens
  --json                one object
`;

const TAIL = `
exit    0 clean, 1 problems of error severity, 2 usage error or something unreadable
JSON    is described by schemas/report.schema.json
`;

const SECTIONS = { check: CHECK, inspect: INSPECT, simulate: SIMULATE, ab: AB } as const;

/** Usage text; ends in a line end. */
export function help(about: Extract<Command, { readonly name: "help" }>["about"]): string {
  return HEAD + (about === "all" ? Object.values(SECTIONS).join("") : SECTIONS[about]) + TAIL;
}
