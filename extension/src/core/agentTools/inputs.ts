import { isPolicyKind, parsePolicy } from "../compaction/parsePolicy";
import { findPreset, POLICY_DEFAULTS, PRESETS } from "../compaction/policy";
import { fieldWords, POLICY_FIELDS } from "../compaction/policyFields";
import type { Policy } from "../model/policy";
import { err, ok, type Result } from "../model/problem";
import { RESULT_STATES } from "../model/rowQuery";
import type { ResultState } from "../model/transcript";
import { plain } from "../util/plain";
import type { AgentToolName } from "./agentTool";
import { ASK_LIMITS } from "./limits";
import type { ConfigAsked, ResultsAsked, SessionsAsked } from "./ports";

/** What each tool is asked, once it was checked. */
export interface AgentInputs {
  readonly contextBudget_listSessions: SessionsAsked;
  readonly contextBudget_listResults: {
    readonly transcript: string;
    /** The threads are wanted, not the results. */
    readonly threads: boolean;
    readonly asked: ResultsAsked;
  };
  readonly contextBudget_readResult: { readonly transcript: string; readonly result: number };
  readonly contextBudget_readPage: { readonly transcript: string; readonly id: string; readonly offset: number };
  readonly contextBudget_explainBudget: ConfigAsked;
  readonly contextBudget_simulatePolicy: {
    readonly transcript: string;
    readonly thread: string | undefined;
    readonly policy: Policy;
  };
}

/** Reads the input of a tool, which a model wrote. The error is one sentence that says what to write instead. */
export const READ_INPUT: {
  readonly [N in AgentToolName]: (input: unknown) => Result<AgentInputs[N], string>;
} = {
  contextBudget_listSessions: (input) =>
    read(input, (fields) => ({
      agent: fields.text("agent"),
      offset: fields.whole("offset", 0) ?? 0,
      limit: Math.min(fields.whole("limit", 1) ?? ASK_LIMITS.sessionsUnlessTold, ASK_LIMITS.sessions),
    })),
  contextBudget_listResults: (input) =>
    read(input, (fields) => ({
      transcript: fields.needed("transcript"),
      threads: fields.flag("threads") ?? false,
      asked: {
        thread: fields.text("thread"),
        states: fields.states("states"),
        offset: fields.whole("offset", 0) ?? 0,
        limit: Math.min(fields.whole("limit", 1) ?? ASK_LIMITS.resultsUnlessTold, ASK_LIMITS.results),
      },
    })),
  contextBudget_readResult: (input) =>
    read(input, (fields) => ({
      transcript: fields.needed("transcript"),
      result: fields.neededWhole("result"),
    })),
  contextBudget_readPage: (input) =>
    read(input, (fields) => ({
      transcript: fields.needed("transcript"),
      id: fields.needed("id"),
      offset: fields.neededWhole("offset"),
    })),
  contextBudget_explainBudget: (input) =>
    read(input, (fields) => ({
      config: fields.needed("config"),
      model: fields.text("model"),
      contextWindow: fields.whole("contextWindow", 1),
    })),
  contextBudget_simulatePolicy: (input) =>
    read(input, (fields) => ({
      transcript: fields.needed("transcript"),
      thread: fields.text("thread"),
      policy: fields.policy("policy"),
    })),
};

/** Reads on to the end, so that one answer can name the first thing that is wrong. */
function read<T>(input: unknown, build: (fields: Fields) => T): Result<T, string> {
  const fields = new Fields(input);
  const value = build(fields);
  const wrong = fields.wrong ?? fields.unknown();
  return wrong === undefined ? ok(value) : err(wrong);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of an object that nobody vouches for. Only its own members count, and each has to be known. */
class Fields {
  /** The first thing that is wrong, in a sentence. */
  wrong: string | undefined;
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly known: string[] = [];

  constructor(input: unknown) {
    // A tool without needed members may be called with nothing at all.
    this.values = isRecord(input) ? input : {};
    if (!isRecord(input) && input !== undefined && input !== null) this.fail("The input must be a JSON object.");
  }

  /** Undefined: left out, or null, or wrong. */
  text(key: string): string | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "") return this.fail(`\`${key}\` must be a text that is not empty.`);
    if (value.length > ASK_LIMITS.text)
      return this.fail(`\`${key}\` is too long: at most ${ASK_LIMITS.text} UTF-16 units.`);
    if (value.includes("\0")) return this.fail(`\`${key}\` must not contain NUL characters.`);
    return value;
  }

  needed(key: string): string {
    return this.text(key) ?? this.missing(key) ?? "";
  }

  /** Undefined: left out, or null, or wrong. */
  whole(key: string, from: number): number | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < from || value > ASK_LIMITS.whole)
      return this.fail(`\`${key}\` must be a whole number from ${from} to ${ASK_LIMITS.whole}.`);
    return value;
  }

  /** Undefined: left out, or null, or wrong. */
  flag(key: string): boolean | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "boolean" ? value : this.fail(`\`${key}\` must be true or false.`);
  }

  neededWhole(key: string): number {
    return this.whole(key, 0) ?? this.missing(key) ?? 0;
  }

  states(key: string): readonly ResultState[] | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    const states = Array.isArray(value) && value.length <= RESULT_STATES.length * 2 ? value : [];
    const known = RESULT_STATES.filter((state) => states.includes(state));
    if (known.length === 0 || !states.every((state) => known.includes(state)))
      return this.fail(`\`${key}\` must be a list of states; there are ${RESULT_STATES.join(", ")}.`);
    return known;
  }

  policy(key: string): Policy {
    const value = this.take(key);
    if (value === undefined) this.missing(key);
    else {
      const policy = policyOf(value);
      if (policy.ok) return policy.value;
      this.fail(policy.error);
    }
    return POLICY_DEFAULTS.persist;
  }

  /** A sentence about a member that no tool of this name has. */
  unknown(): string | undefined {
    const other = Object.keys(this.values).find((key) => !this.known.includes(key));
    return other === undefined
      ? undefined
      : `There is no \`${plain(other.slice(0, 80))}\` here; there are ${this.known.join(", ")}.`;
  }

  private take(key: string): unknown {
    this.known.push(key);
    const value = Object.hasOwn(this.values, key) ? this.values[key] : undefined;
    return value === null ? undefined : value;
  }

  private missing(key: string): undefined {
    return this.fail(`\`${key}\` is missing.`);
  }

  private fail(message: string): undefined {
    this.wrong ??= message;
    return undefined;
  }
}

/** A preset or a kind, with members that differ from what it has. */
function policyOf(value: unknown): Result<Policy, string> {
  const presets = PRESETS.map(({ id }) => id).join(", ");
  const kinds = Object.keys(POLICY_FIELDS).join(", ");
  if (!isRecord(value))
    return err(`\`policy\` must be an object with \`preset\` (one of ${presets}) or \`kind\` (one of ${kinds}).`);
  const { preset: named, kind, ...members } = value;
  const preset = typeof named === "string" ? findPreset(named) : undefined;
  if (named !== undefined && preset === undefined) return err(`\`policy.preset\` is unknown; there are ${presets}.`);
  if (kind !== undefined && !isPolicyKind(kind)) return err(`\`policy.kind\` is unknown; there are ${kinds}.`);
  const base = preset?.policy ?? (isPolicyKind(kind) ? POLICY_DEFAULTS[kind] : undefined);
  if (base === undefined) return err(`\`policy\` needs \`preset\` (one of ${presets}) or \`kind\` (one of ${kinds}).`);
  if (isPolicyKind(kind) && kind !== base.kind)
    return err(`\`policy.kind\` does not fit the preset, which is of the kind ${base.kind}; leave it out.`);
  const fields = POLICY_FIELDS[base.kind];
  for (const [key, member] of Object.entries(members)) {
    const field = fields.find((one) => one.key === key);
    if (field === undefined)
      return err(
        `\`policy\` of the kind ${base.kind} has no \`${plain(key.slice(0, 80))}\`; it has ${fields.map((one) => one.key).join(", ")}.`,
      );
    if (parsePolicy({ ...base, [key]: member }) === undefined)
      return err(`\`policy.${key}\` must be ${fieldWords(field, "null")}.`);
  }
  const policy = parsePolicy({ ...base, ...members });
  return policy === undefined ? err("`policy` is not one that can be simulated; check its members.") : ok(policy);
}
