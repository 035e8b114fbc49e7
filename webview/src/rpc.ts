import type {
  CallName,
  Calls,
  ErrorCode,
  EventName,
  Events,
  HostFrame,
  PageFrame,
} from "../../extension/src/protocol/webview";
import { eventGuards, isHostFrame, replyGuards } from "./guards";

/** The wire. The page's is `postMessage`; tests pass a pair of functions. */
export interface Transport {
  post(frame: PageFrame): void;
  /** Calls `receive` with every incoming message, whatever it holds; the returned function stops that. */
  listen(receive: (data: unknown) => void): () => void;
}

export class RpcError extends Error {
  override readonly name = "RpcError";
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** What to tell the user of a call that failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof RpcError) {
    return error.message;
  }
  throw error; // anything else is a bug and must not look like an answer
}

export type EventMessage = { readonly [E in EventName]: { readonly e: E; readonly body: Events[E] } }[EventName];

export interface RpcListener {
  event(message: EventMessage): void;
  /** A message failed its guard and was dropped; `what` names it. */
  badMessage(what: string): void;
}

interface Pending {
  readonly method: CallName;
  settle(body: unknown): void;
  fail(error: RpcError): void;
}

/** Typed calls over a transport. Every call settles: by its reply, by the caller's abort signal, or by `dispose`. */
export class Rpc {
  readonly #pending = new Map<number, Pending>();
  readonly #transport: Transport;
  readonly #listener: RpcListener;
  readonly #stop: () => void;
  #nextId = 1;
  #disposed = false;

  constructor(transport: Transport, listener: RpcListener) {
    this.#transport = transport;
    this.#listener = listener;
    this.#stop = transport.listen((data) => this.#receive(data));
  }

  /** Rejects with an RpcError; an aborted call tells the host and rejects with code `cancelled` at once. */
  call<M extends CallName>(method: M, body: Calls[M]["in"], signal?: AbortSignal): Promise<Calls[M]["out"]> {
    if (this.#disposed) {
      return Promise.reject(new RpcError("disposed", "The page was closed."));
    }
    if (signal?.aborted === true) {
      return Promise.reject(new RpcError("cancelled", "Cancelled."));
    }
    const id = this.#nextId++;
    const isReply = replyGuards[method];
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#transport.post({ v: 1, id, t: "cancel" });
        this.#pending.get(id)?.fail(new RpcError("cancelled", "Cancelled."));
      };
      const done = (): void => {
        this.#pending.delete(id);
        signal?.removeEventListener("abort", abort);
      };
      this.#pending.set(id, {
        method,
        settle: (reply) => {
          done();
          if (isReply(reply)) {
            resolve(reply);
          } else {
            this.#listener.badMessage(`reply to ${method}`);
            reject(new RpcError("bad-message", `The reply to "${method}" has an unexpected shape.`));
          }
        },
        fail: (error) => {
          done();
          reject(error);
        },
      });
      signal?.addEventListener("abort", abort, { once: true });
      this.#transport.post({ v: 1, id, t: "call", m: method, body });
    });
  }

  /** Stops listening and rejects what is still open with code `disposed`. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    this.#stop();
    for (const pending of [...this.#pending.values()]) {
      pending.fail(new RpcError("disposed", "The page was closed."));
    }
  }

  #receive(data: unknown): void {
    if (!isHostFrame(data)) {
      this.#listener.badMessage("message");
      return;
    }
    if (data.t === "event") {
      this.#event(data);
      return;
    }
    const pending = this.#pending.get(data.id);
    if (pending === undefined) {
      return; // a late reply to a cancelled call
    }
    if (data.t === "ok") {
      pending.settle(data.body);
    } else {
      pending.fail(new RpcError(data.code, data.message));
    }
  }

  #event(frame: Extract<HostFrame, { readonly t: "event" }>): void {
    const message = { e: frame.e, body: frame.body };
    if (isEvent(message)) {
      this.#listener.event(message);
    } else {
      this.#listener.badMessage(`event ${frame.e}`);
    }
  }
}

function isEvent(message: { readonly e: EventName; readonly body: unknown }): message is EventMessage {
  return eventGuards[message.e](message.body);
}
