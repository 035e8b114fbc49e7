import type { Policy } from "../core/compaction/policy";
import type { Action, Reason } from "../core/compaction/stage";
import type { Look } from "./inspectText";
import type { PolicyOutcome, Simulated } from "./simulateReport";
import { type Column, counted, grouped, paint, plain, shortTokens, table } from "./text";

/** Rows of the table of affected results for people; `--json` lists all. */
export const MAX_AFFECTED = 20;

const REASONS: Readonly<Record<Reason, string>> = {
  "below-threshold": "not above the threshold",
  pinned: "the tool is never taken out",
  "registry-cap": "not above the limit that the tool itself has",
  "terminal-capped": "terminal output is cut to 50,000 chars before it is looked at",
  "quotes-tag": "holds a notice already",
  "already-taken-out": "a notice or placeholder already",
  trusted: "marked to be kept word for word",
  "excluded-tool": "the tool is excluded",
  protected: "among the newest that stay",
  "below-budget": "the request is at or below the budget or trigger",
  "not-enough-results": "not enough results",
  "reclaim-too-small": "too little to gain",
  "not-rearmed": "not enough has been added since the last pass",
  "nothing-eligible": "nothing that may be taken out",
  unsatisfiable: "head, marker and tail do not fit below the threshold, so it is off",
  off: "off",
};

const ACTIONS: Readonly<Record<Action, string>> = {
  persisted: "persisted",
  "not-saved": "not saved",
  "turn-budget": "turn budget",
  pruned: "pruned",
  blanked: "blanked",
  cleared: "cleared",
  masked: "masked",
  duplicate: "duplicate",
  "one-line": "one line",
  shortened: "shortened",
};

/** One simulation for people: what it says in a sentence, the figures, the results, and why the rest stayed. */
export function simulationText(file: string, simulation: Simulated, look: Look): string {
  const { thread, policies } = simulation;
  const head = [plain(thread.title), counted(thread.calls, "call"), counted(thread.results, "result")].join(" · ");
  const parts = [`${paint(plain(file), "bold", look.colour)}\n${head}\n${inferredText(simulation)}`];
  if (policies.length > 0) {
    parts.push(`${sentence(simulation)}\n`, figures(simulation), affectedText(simulation), reasonsText(policies));
  }
  parts.push(curveText(simulation), notesText(simulation));
  return parts.filter((part) => part !== "").join("\n");
}

function tokens(value: number): string {
  return shortTokens(Math.round(Math.abs(value)));
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

/** What the policies would have done, in one sentence. */
function sentence({ policies, totals }: Simulated): string {
  const names = policies.map(({ parameters, preset }) => policyWords(parameters, preset));
  const joined = names.join(", then ");
  const subject = joined.charAt(0).toUpperCase() + joined.slice(1);
  const { saved, before } = totals;
  if (policies.every(({ replaced }) => replaced === 0))
    return `${subject} would have changed nothing in this transcript.`;
  const whole = tokens(before.input);
  if (saved.input < 0)
    return `${subject} would have added ${tokens(saved.input)} to ${whole} input tokens (estimated): the notices are longer than what they replace.`;
  const share = percent(saved.input, before.input);
  const kept = `${subject} would have kept ${tokens(saved.input)} of ${whole} input tokens out of this transcript (${share}, estimated, upper bound)`;
  if (saved.input === 0) return `${kept}.`;
  if (saved.uncached < 0)
    return `${kept}, but broken the cache: ${tokens(saved.uncached)} tokens more would have been sent uncached.`;
  return `${kept}; ${Math.round((100 * saved.cached) / saved.input)} % of that would have been cache reads.`;
}

function policyWords(policy: Policy, preset: string | null): string {
  const named = preset === null ? "" : ` (${preset})`;
  switch (policy.kind) {
    case "persist": {
      const scaled =
        policy.contextTokens === null
          ? "the default"
          : `what a window of ${grouped(policy.contextTokens)} tokens gives`;
      return `persisting above ${policy.threshold === null ? scaled : `${grouped(policy.threshold)} chars`}${named}`;
    }
    case "prune":
      return `pruning results above ${grouped(policy.threshold)} chars to ${grouped(policy.head)} + ${grouped(policy.tail)}${named}`;
    case "micro": {
      const budget =
        policy.tokenBudget === null || policy.tokenBudget === 0
          ? ""
          : ` once above ${grouped(policy.tokenBudget)} tokens`;
      return `blanking all but the newest ${counted(policy.keepRecent, "result")}${budget}${named}`;
    }
    case "clear":
      return `clearing all but the newest ${counted(policy.keep, "result")} once above ${grouped(policy.triggerTokens)} tokens${named}`;
    case "window":
      return `masking output older than the newest ${grouped(policy.protectTokens)} tokens${named}`;
    case "proactive":
      return `pruning old results once above ${grouped(policy.triggerTokens)} tokens${named}`;
  }
}

function figures({ totals, measured, assumed, thread }: Simulated): string {
  const { saved, before, after, breaks } = totals;
  const lines = [
    `input saved         ≈ ${signed(saved.input)} tok (${percent(saved.input, before.input)}), estimated`,
    `cached / uncached   ≈ ${signed(saved.cached)} / ${signed(saved.uncached)} tok, estimated`,
    `cache breaks        ${grouped(breaks.length)}${breaks.length === 0 ? "" : ` · ${paysBack(totals)}`}`,
    `peak context        ≈ ${grouped(Math.round(before.peak))} → ${grouped(Math.round(after.peak))} tok, estimated`,
  ];
  if (assumed.windowTokens !== null) {
    const over = `${grouped(before.overWindow ?? 0)} → ${grouped(after.overWindow ?? 0)}`;
    lines.push(`calls over window   ${over} (${grouped(assumed.windowTokens)} tok)`);
  }
  if (measured.calls > 0) {
    const of =
      measured.calls === thread.calls ? "all calls" : `${grouped(measured.calls)} of ${counted(thread.calls, "call")}`;
    const cached = measured.cacheRead > 0 ? `, ${grouped(measured.cacheRead)} of them cache reads` : "";
    lines.push(`measured input      ${grouped(measured.input)} tok${cached} (${of}), without the policies`);
  }
  return `${lines.join("\n")}\n`;
}

function signed(value: number): string {
  const whole = Math.round(value);
  return whole < 0 ? `−${grouped(-whole)}` : grouped(whole);
}

function paysBack({ breakEvenReached }: Simulated["totals"]): string {
  if (breakEvenReached === null) return "does not pay back within this transcript";
  return breakEvenReached === 0 ? "pays back at once" : `pays back after ${counted(breakEvenReached, "call")}`;
}

const COLUMNS: readonly Column[] = [
  { title: "line", right: true },
  { title: "call", right: true },
  { title: "tool" },
  { title: "what" },
  { title: "before", right: true },
  { title: "after", right: true },
  { title: "saved in all", right: true },
];

/** Results by what they save, the most first. Characters. */
function affectedText({ affected }: Simulated): string {
  if (affected.length === 0) return "";
  const sorted = [...affected].sort((a, b) => b.saved - a.saved || a.result - b.result);
  const rows = sorted
    .slice(0, MAX_AFFECTED)
    .map(({ line, call, tool, action, before, after, exact, saved }) => [
      line === null ? "–" : grouped(line),
      grouped(call),
      plain(tool ?? "–"),
      ACTIONS[action],
      grouped(before),
      `${exact ? "" : "≈ "}${grouped(after)}`,
      signed(saved),
    ]);
  const more = affected.length - rows.length;
  const title = `${counted(affected.length, "result")} replaced (chars, exact unless ≈)\n`;
  return title + table(COLUMNS, rows) + (more > 0 ? `… and ${grouped(more)} more; --json lists all\n` : "");
}

function reasonsText(policies: readonly PolicyOutcome[]): string {
  return policies
    .flatMap(({ parameters, preset, idle, kept }) => {
      const passes = lines(idle, "pass", "passes");
      const results = lines(kept, "result", "results");
      if (passes.length + results.length === 0) return [];
      const name = preset ?? parameters.kind;
      return [`What ${name} left alone:\n${[...passes, ...results].map((line) => `  ${line}\n`).join("")}`];
    })
    .join("");
}

function lines(counts: PolicyOutcome["idle"], one: string, many: string): readonly string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${counted(count, one, many)}: ${isReason(reason) ? REASONS[reason] : reason}`);
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(REASONS, text);
}

const CURVE_COLUMNS: readonly Column[] = [
  { title: "threshold", right: true },
  { title: "results", right: true },
  { title: "chars saved", right: true },
  { title: "≈ tok", right: true },
  { title: "of input", right: true },
];

function curveText({ curve, totals }: Simulated): string {
  if (curve === null) return "";
  const rows = curve.candidates.map(({ threshold, results, saved }) => [
    grouped(threshold),
    grouped(results),
    signed(saved),
    signed(saved / 4),
    percent(saved / 4, totals.before.input),
  ]);
  const all = `${counted(curve.steps.length, "step")} in all; --json lists them. Results above a threshold, one by one; the turn budget is left out.\n`;
  return `What each threshold saves (chars exact, tokens estimated)\n${table(CURVE_COLUMNS, rows)}${all}`;
}

function inferredText({ inferred }: Simulated): string {
  if (inferred === null || (inferred.atLeast === null && inferred.below === null)) return "";
  const { atLeast, below } = inferred;
  if (atLeast !== null && below === atLeast + 1)
    return `The threshold in force was ${grouped(atLeast)} chars, by the results alone.\n`;
  const low = atLeast === null ? "" : ` at least ${grouped(atLeast)}`;
  const high = below === null ? "" : `${atLeast === null ? "" : " and"} below ${grouped(below)}`;
  return `The threshold in force was${low}${high} chars, by the results alone.\n`;
}

function notesText({ assumed, policies }: Simulated): string {
  const { tokens: rule, baseTokens, cache } = assumed;
  const base =
    baseTokens === 0
      ? ""
      : `; ${grouped(baseTokens)} tokens of every call are not in the transcript (from its first measured call)`;
  const notes = [
    `Tokens are estimated: characters ÷ ${rule.charsPerToken}, ${grouped(rule.imageTokens)} per image${base}. Cache: ${cache.source}.`,
    ...policies.flatMap(({ preset, approximation }) =>
      approximation === null ? [] : [`${preset ?? "Policy"} is an approximation: ${approximation}`],
    ),
  ];
  return `${notes.join("\n")}\n`;
}
