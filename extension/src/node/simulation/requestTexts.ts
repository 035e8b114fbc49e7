import type { Replacement } from "../../core/compaction/pipeline";
import { type ReplacedText, replacementText } from "../../core/compaction/replacementText";
import { ITEM, ROLES, type SimThread } from "../../core/compaction/simThread";
import type { Policy } from "../../core/model/policy";
import { err, ok, type Result } from "../../core/model/problem";
import type { Message, ToolResult } from "../../core/model/transcript";
import type { Cancel, SecretSpan } from "../../core/ports";
import { secretsIn, spansOfKnown } from "../../core/secrets/knownSecrets";
import { SECRET_SLACK_UNITS } from "../../core/secrets/mask";
import { messageText, type WrittenCall, writtenCalls } from "../../core/transcript/messageText";
import { parseJson } from "../../core/util/parseJson";
import { countCodePoints } from "../../core/util/textSize";
import type { RequestTexts, SimulationQuestions } from "../../protocol/simulation";
import { nodeDigest } from "../digest";
import { secretFinder } from "../secrets";
import { nodeUtf8 } from "../utf8";
import type { LoadedTranscript } from "./loadTranscript";
import type { SimulatedThread } from "./simulatedThread";

/** Bounds of one side, UTF-16 units: VS Code compares no larger documents well. */
export const REQUEST_LIMITS = {
  /** Of the whole request: above it texts that no policy touches are shortened. */
  whole: 4_000_000,
  /** Of one text. */
  text: 1_000_000,
  /** Of one text that stays as it is, in a request above `whole`. */
  shortened: 2_000,
} as const;

/** Of a name in a heading, UTF-16 units. */
const MAX_NAME = 120;

/** One side while it is written, with the places of the secrets in it. */
class Side {
  private readonly parts: string[] = [];
  readonly secrets: SecretSpan[] = [];
  private length = 0;

  add(part: string, secrets: readonly SecretSpan[] = []): void {
    for (const { start, end, rule } of secrets)
      this.secrets.push({ start: this.length + start, end: this.length + end, rule });
    this.parts.push(part);
    this.length += part.length + 1;
  }

  get text(): string {
    return this.parts.join("\n");
  }
}

/** Both sides while they are written: the same headings on both, so that only what is replaced differs. */
class Sides {
  private readonly before = new Side();
  private readonly after = new Side();
  private readonly finder = secretFinder();
  private length = 0;
  capped = false;

  /** @param limit of the texts under it */
  async section(heading: string, before: string, after: string, limit: number): Promise<void> {
    const full = this.length > 2 * REQUEST_LIMITS.whole;
    const cut = full ? 0 : limit;
    const secrets = await this.finder.find(before.slice(0, cut + SECRET_SLACK_UNITS));
    this.write(this.before, heading, before, secrets, cut);
    if (before === after) this.write(this.after, heading, before, secrets, cut);
    else {
      // What a policy makes of a text may hold a piece of a secret, which no rule finds.
      const found = await this.finder.find(after.slice(0, cut + SECRET_SLACK_UNITS));
      this.write(this.after, heading, after, spansOfKnown(after, secretsIn(before, secrets), found), cut);
    }
    this.length += Math.min(before.length, cut) + heading.length;
  }

  texts(): RequestTexts {
    const { before, after, capped } = this;
    return {
      before: before.text,
      after: after.text,
      secrets: { before: before.secrets, after: after.secrets },
      capped,
    };
  }

  private write(side: Side, heading: string, text: string, secrets: readonly SecretSpan[], limit: number): void {
    const shown = text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
    const inShown = secrets
      .filter(({ start }) => start < shown.length)
      .map((span) => ({ ...span, end: Math.min(span.end, shown.length) }));
    side.add(heading);
    side.add(shown, inShown);
    if (shown.length < text.length) {
      this.capped = true;
      side.add(`[… ${(text.length - shown.length).toLocaleString("en")} more characters are not shown here]`);
    }
    side.add("");
  }
}

/** The request of a call as text, message by message, without and with the policies. Undefined = cancelled. */
export async function requestTexts(
  loaded: LoadedTranscript,
  thread: SimulatedThread,
  { input, call }: SimulationQuestions["request"]["in"],
  cancel: Cancel,
): Promise<Result<RequestTexts> | undefined> {
  const { sim } = thread;
  const position = sim.calls.number.indexOf(call);
  if (position < 0) {
    return err({ code: "unknown-call", severity: "error", message: `This thread has no request number ${call}.` });
  }
  const items = thread.simulation(input.assumptions).requestAt(input.policies, position);
  const total = items.reduce((sum, { item }) => sum + (sim.items.chars[item] ?? 0), 0);
  const kept = total > REQUEST_LIMITS.whole ? REQUEST_LIMITS.shortened : REQUEST_LIMITS.text;
  const writer = new RequestWriter(loaded, sim, input.policies, kept);
  for (const { item, replacement } of items) {
    if (cancel.isCancellationRequested) return undefined;
    await writer.item(item, replacement);
  }
  return ok(writer.sides.texts());
}

class RequestWriter {
  readonly sides = new Sides();
  private readonly messages: readonly Message[];
  private record: { readonly message: number; readonly value: unknown } | undefined;

  constructor(
    private readonly loaded: LoadedTranscript,
    private readonly sim: SimThread,
    private readonly policies: readonly Policy[],
    private readonly keptLimit: number,
  ) {
    this.messages = loaded.index.messages.filter(({ threadId }) => threadId === sim.id);
  }

  async item(item: number, replacement: Replacement | undefined): Promise<void> {
    const { items } = this.sim;
    switch (items.kind[item]) {
      case ITEM.result:
        return this.result(item, replacement);
      case ITEM.args:
        return this.args(item, replacement);
      default:
        return this.text(item);
    }
  }

  private async text(item: number): Promise<void> {
    const { items } = this.sim;
    const chars = items.chars[item] ?? 0;
    const images = items.images[item] ?? 0;
    // An answer that is nothing but tool calls.
    if (chars === 0 && images === 0) return;
    const record = await this.recordOf(item);
    const text = chars === 0 ? "" : (messageText(record, chars, nodeUtf8) ?? asJson(record));
    const shown = withImages(text, images);
    await this.sides.section(`===== ${this.messageName(item)} =====`, shown, shown, this.keptLimit);
  }

  private async args(item: number, replacement: Replacement | undefined): Promise<void> {
    const { items } = this.sim;
    const chars = items.chars[item] ?? 0;
    if (chars === 0) return;
    const found = writtenCalls(await this.recordOf(item));
    const known = found.reduce((sum, { args }) => sum + countCodePoints(args), 0) === chars;
    const calls: readonly WrittenCall[] = known ? found : [];
    if (calls.length === 0) {
      const text = `[arguments of ${chars.toLocaleString("en")} characters, which could not be told apart from their record]`;
      const after = replacement === undefined ? text : this.stands(replacement);
      await this.sides.section(`----- tool calls · ${this.messageName(item)} -----`, text, after, this.keptLimit);
      return;
    }
    for (const call of calls) {
      const heading = `----- tool call · ${named(call.tool, "unknown tool")} · ${named(call.id, "no id")} -----`;
      const after = replacement === undefined ? call.args : this.replacedArgs(call, replacement);
      await this.sides.section(
        heading,
        call.args,
        after,
        replacement === undefined ? this.keptLimit : REQUEST_LIMITS.text,
      );
    }
  }

  private replacedArgs(call: WrittenCall, replacement: Replacement): string {
    const policy = this.policies[replacement.policy];
    if (policy === undefined || replacement.action !== "shortened") return "{}";
    return replacementText(policy, replacement.action, this.replaced(call.args, undefined), nodeDigest);
  }

  private async result(item: number, replacement: Replacement | undefined): Promise<void> {
    const { items, results } = this.sim;
    const position = items.result[item] ?? -1;
    const result = this.loaded.index.results[results.index[position] ?? -1];
    const images = items.images[item] ?? 0;
    const heading = `===== tool result · ${named(result?.tool, "unknown tool")} · ${named(result?.callId, "no id")} =====`;
    const text = result === undefined ? undefined : await this.loaded.bodies.result(result);
    const before = withImages(text ?? unreadable(items.chars[item] ?? 0), images);
    if (replacement === undefined) {
      await this.sides.section(heading, before, before, this.keptLimit);
      return;
    }
    const policy = this.policies[replacement.policy];
    const stands =
      text === undefined || policy === undefined
        ? this.stands(replacement)
        : replacementText(policy, replacement.action, await this.replacedResult(text, result, replacement), nodeDigest);
    const after = withImages(stands, replacement.dropsImages ? 0 : images);
    await this.sides.section(heading, before, after, REQUEST_LIMITS.text);
  }

  /** Only a one-line summary looks at what the call asked for. */
  private async replacedResult(
    text: string,
    result: ToolResult | undefined,
    { action }: Replacement,
  ): Promise<ReplacedText> {
    const bare = this.replaced(text, result);
    if (action !== "one-line" || result === undefined) return bare;
    return { ...bare, args: await this.loaded.bodies.args?.(result) };
  }

  private replaced(text: string, result: ToolResult | undefined): ReplacedText {
    return {
      text,
      agent: this.loaded.header.agent,
      tool: result?.tool,
      callId: result?.callId,
      args: undefined,
    };
  }

  private stands({ action, chars }: Replacement): string {
    return `[${action}: ${chars.toLocaleString("en")} characters stand here]`;
  }

  private async recordOf(item: number): Promise<unknown> {
    const message = this.sim.items.message[item] ?? -1;
    if (this.record?.message === message) return this.record.value;
    const place = this.messages[message]?.place;
    const text = place === undefined ? undefined : await this.loaded.record(place);
    const value = text === undefined ? undefined : parseJson(text);
    this.record = { message, value };
    return value;
  }

  private messageName(item: number): string {
    const { items } = this.sim;
    const role = ROLES[items.role[item] ?? 0] ?? "other";
    const index = items.messageIndex[item] ?? -1;
    return index < 0 ? role : `message ${index + 1} · ${role}`;
  }
}

/** A name from the transcript in a heading: on one line, and not endless. */
function named(name: string | undefined, absent: string): string {
  const plain = (name ?? absent).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd");
  return plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME)}…` : plain;
}

function unreadable(chars: number): string {
  return `[a text of ${chars.toLocaleString("en")} characters, which could not be read]`;
}

function withImages(text: string, images: number): string {
  return images === 0 ? text : `${text}${text === "" ? "" : "\n"}${"[image]".repeat(Math.min(images, 100))}`;
}

/** A record that keeps its text where nobody looked, as it stands. */
function asJson(record: unknown): string {
  if (record === undefined) return "[the record could not be read]";
  return `[its record, since the text could not be told from it]\n${JSON.stringify(record, undefined, 2)}`;
}
