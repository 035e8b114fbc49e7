import type { Problem, Result } from "../../core/model/problem";
import type { Log, SecretFinder } from "../../core/ports";
import { SHORT_TEXT, withShortTexts } from "../../core/util/shortTexts";
import type { CallName, Calls, ErrorCode, EventName, Events, HostFrame } from "../../protocol/webview";
import { CancelSource, type Disposable } from "../lifetime";
import { parseBody, parsePageFrame } from "./frames";
import { MaskedPost } from "./maskedPost";
import type { CancelWithHook } from "./sessionPorts";

/** An expected failure of a call. */
export interface CallFailure {
  readonly code: ErrorCode;
  /** For the user: what happened and what to do next. */
  readonly message: string;
}

export type Handlers = {
  readonly [M in CallName]: (
    input: Calls[M]["in"],
    cancel: CancelWithHook,
  ) => Promise<Result<Calls[M]["out"], CallFailure>>;
};

/** Calls that may run at the same time; a page that asks for more is told so instead of piling work up. */
const MAX_RUNNING = 64;

/** Messages of the wrong shape that are written to the log; a page that sends more is broken, and the log says so already. */
const MAX_LOGGED = 50;

/** Texts to read, which are bounded where they are made; all others are names and sentences. */
const WHOLE: ReadonlySet<string> = new Set(["text"]);

/** Calls by which the user asks to see a secret: their replies are not masked. */
const SHOW_SECRETS: ReadonlySet<CallName> = new Set<CallName>(["showSecret", "showOutputSecret"]);

/** The host's end of the line to one page. Every call gets exactly one reply: ok, err or cancelled, also on dispose. */
export class HostRpc implements Disposable {
  readonly #out: MaskedPost;
  readonly #handlers: Handlers;
  readonly #log: Log;
  readonly #running = new Map<number, CancelSource>();
  #disposed = false;
  #bad = 0;

  /** @param secrets finds what is masked in everything that goes to the page; undefined: nothing is */
  constructor(post: (frame: HostFrame) => void, handlers: Handlers, log: Log, secrets: SecretFinder | undefined) {
    // Behind the masking: a secret that is cut in two is none that a rule finds.
    this.#out = new MaskedPost({ post: (frame) => post(withShortTexts(frame, SHORT_TEXT, WHOLE)), secrets, log });
    this.#handlers = handlers;
    this.#log = log;
  }

  /** How many calls have no reply yet. */
  get running(): number {
    return this.#running.size;
  }

  /** Takes whatever the page sent. Resolves when the reply, if one is due, was posted. */
  async receive(raw: unknown): Promise<void> {
    if (this.#disposed) return;
    const frame = parsePageFrame(raw);
    if (!frame.ok) {
      this.#warn(frame.error.message);
      if (frame.error.id !== undefined) this.#fail(frame.error.id, "bad-message", frame.error.message);
      return;
    }
    if (frame.value.t === "cancel") {
      this.#running.get(frame.value.id)?.cancel();
      return;
    }
    await this.#call(frame.value.id, frame.value.m, frame.value.body);
    await this.#out.posted;
  }

  event<E extends EventName>(name: E, body: Events[E]): void {
    if (!this.#disposed) this.#out.send({ v: 1, t: "event", e: name, body });
  }

  dispose(): void {
    if (this.#disposed) return;
    for (const [id, source] of this.#running) {
      source.cancel();
      this.#fail(id, "disposed", "The inspector was closed.");
    }
    this.#running.clear();
    this.#disposed = true;
  }

  async #call<M extends CallName>(id: number, name: M, body: unknown): Promise<void> {
    if (this.#running.has(id)) {
      this.#warn(`the id ${id} is already in use; the second call is ignored.`);
      return;
    }
    const input = parseBody(name, body);
    if (!input.ok) {
      this.#warn(input.error);
      this.#fail(id, "bad-message", input.error);
      return;
    }
    if (this.#running.size >= MAX_RUNNING) {
      this.#fail(id, "failed", "Too many requests at once; try again in a moment.");
      return;
    }
    const source = new CancelSource();
    this.#running.set(id, source);
    try {
      const outcome = await this.#handlers[name](input.value, source);
      if (!this.#running.delete(id)) return;
      if (source.isCancellationRequested) this.#fail(id, "cancelled", "Cancelled.");
      else if (outcome.ok) this.#out.send({ v: 1, id, t: "ok", body: outcome.value }, SHOW_SECRETS.has(name));
      else this.#fail(id, outcome.error.code, outcome.error.message);
    } catch (error) {
      this.#log.error(`Inspector: the call ${name} failed`, error);
      if (this.#running.delete(id)) {
        this.#fail(id, "failed", `This did not work (${name}). The log of Context Budget says why.`);
      }
    }
  }

  #warn(what: string): void {
    this.#bad++;
    if (this.#bad <= MAX_LOGGED) this.#log.warn(`Inspector page: ${what}`);
    if (this.#bad === MAX_LOGGED)
      this.#log.warn("Inspector page: further messages of the wrong shape are not written here.");
  }

  #fail(id: number, code: ErrorCode, message: string): void {
    this.#out.send({ v: 1, id, t: "err", code, message });
  }
}

/** A problem as the reply to a call. */
export function failedBy(problem: Problem): CallFailure {
  return { code: "failed", message: problem.message };
}
