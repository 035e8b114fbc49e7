import { CACHE_MODELS } from "../core/compaction/cacheModel";
import { PRESETS } from "../core/compaction/policy";
import { POLICY_FIELDS } from "../core/compaction/policyFields";
import type { Command } from "./args";
import { FORMATS } from "./options";

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

  context-budget check FILE… [--loader pyyaml|ruamel] [--context-length N] [--no-environment]
                 [--json]
  context-budget inspect PATH… [--format NAME] [--summary] [--json]
  context-budget inspect PATH --handles [--at now|end|CALL] [--format NAME] [--json]
  context-budget simulate PATH [--policy NAME[:k=v,…]]… [--thresholds N,N,…] [--thread ID]
                 [--window N] [--cache MODEL] [--prices write=N,read=N] [--base-tokens N]
                 [--format NAME] [--json|--csv|--markdown]
  context-budget ab TRANSCRIPT [--thread ID] [--thresholds N,N,…] [--baseline N] [--window N]
                 [--since ISO] [--until ISO] [--format NAME] [--json|--csv|--markdown]
  context-budget ab --log FILE… [--db FILE] [--since ISO] [--until ISO] [--utc-offset MINUTES]
                 [--thresholds N,N,…] [--baseline N] [--window N] [--json|--csv|--markdown]
  context-budget mcp [--root DIR]…
  context-budget --help | --version

What looks like a secret (a token, a key, a password in a URL) is written as [secret: its kind];
check, inspect, simulate and ab show it with --show-secrets.
`;

const CHECK = `
check   reads agent config files as the agent's own loader does and says what becomes of
        tools.tool_result_persist_threshold_chars
  --loader NAME         ruamel (newer Hermes, the default) or pyyaml (older Hermes)
  --context-length N    context window in tokens where the file states none
  --no-environment      leaves \${VAR} open, and neither .env nor the managed layer are read
  --json                one array, one element per file, in order
`;

const INSPECT = `
inspect lists the tool results of a transcript: state, sizes, path or handle, and whether the
        spill file is still there; of several transcripts, and of all below a folder, one line
        each and the usage of all, in which copies of a call count once
  --format NAME         read as this format instead of detecting it from the content:
${wrapped(FORMATS, "                        ")}
  --summary             totals only; memory stays bounded however long the transcript is
  --handles             instead of the results: every id or path that was left in the place of
                        a large one, whether it can be read, and whether the agent ever did
  --at MOMENT           when it is to be readable: now (the default), end (of the transcript),
                        or the number of a call
  --json                one object for a transcript; for several their reports and overall usage
`;

const SIMULATE = `
simulate
        says what policies would have kept out of the requests of one thread, and what that does
        to the prompt cache; policies apply in the order given, each to what is left by then
  --thread ID           needed where a transcript has several threads
  --policy NAME:k=v,…   a preset or a kind, with any of its parameters changed (below); may be
                        given more than once
  --persist N|auto      short for --policy persist:threshold=N
  --prune T,H,T2        short for --policy prune:threshold=T,head=H,tail=T2
  --micro K[,BUDGET]    short for --policy micro:keepRecent=K,tokenBudget=BUDGET
  --preset NAME         short for --policy NAME
  --thresholds N,N,…    what these thresholds would save, in characters, of the exact curve
  --curve               the same for the usual thresholds
  --window N            context window in tokens (also --context-length)
  --cache MODEL         how the provider caches; numbers can be set (openai:blockTokens=64):
${wrapped(
  CACHE_MODELS.map(({ id }) => id),
  "                        ",
)}
  --prices write=N,read=N
                        prices in uncached tokens, such as write=1.25,read=0.1; off without
  --base-tokens N       tokens in every call that the transcript does not show
  --format NAME         as for inspect
  --json                one object with the ledger of every call
  --csv                 the ledger, one row per call, and the curve where asked for
  --markdown            a report to paste, with all parameters
  presets
${wrapped(
  PRESETS.map(({ id }) => id),
  "                        ",
)}
  kinds and their parameters
${Object.entries(POLICY_FIELDS)
  .map(([kind, fields]) =>
    wrapped(
      fields.map(({ key }) => key),
      "                        ",
    ).replace(/^ +/, `    ${kind}`.padEnd(24)),
  )
  .join("\n")}
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
  --window N            context window in tokens (also --context-length)
  --json                one object
  --csv                 one row per threshold and scenario
  --markdown            a report to paste
`;

const MCP = `
mcp     serves the tools for agents over the Model Context Protocol on standard input and output
        (stdio): list sessions and their tool results, read a result page by page, explain a
        config, simulate a policy. Started by an agent, not by hand; ends when its input does.
        Only reads, and only sessions in the homes of agents, configs of Hermes homes, and what
        lies in the folders that the client has open (roots) or that are given here. Secrets are
        masked. Says what goes wrong on standard error.
  --root DIR            another folder that may be read; may be given more than once
`;

const TAIL = `
exit    0 clean, 1 problems of error severity, 2 usage error or something unreadable
JSON    is described by schemas/report.schema.json
`;

const SECTIONS = { check: CHECK, inspect: INSPECT, simulate: SIMULATE, ab: AB, mcp: MCP } as const;

/** Usage text; ends in a line end. */
export function help(about: Extract<Command, { readonly name: "help" }>["about"]): string {
  return HEAD + (about === "all" ? Object.values(SECTIONS).join("") : SECTIONS[about]) + TAIL;
}
