import type { CallName, HostFrame, PageFrame, RowsAsked } from "../../extension/src/protocol/webview";
import type { RowHost } from "../../webview/dev/rowHost";
import type { Transport } from "../../webview/src/rpc";

/** The other end of a transport: holds what the page posted and answers when told to. */
export class FakeHost implements Transport {
  readonly frames: PageFrame[] = [];
  listening = 0;
  /** Answers calls for rows by itself; without it they wait for `answer`. */
  rowHost: RowHost | undefined;
  #receive: ((data: unknown) => void) | undefined;

  post(frame: PageFrame): void {
    this.frames.push(frame);
    if (frame.t === "call" && frame.m === "rows") queueMicrotask(() => this.#answerRows(frame.id, frame.body));
  }

  #answerRows(id: number, body: unknown): void {
    if (this.rowHost === undefined || this.cancelled().includes(id)) return;
    this.send({ v: 1, id, t: "ok", body: this.rowHost.answer(body as RowsAsked) });
  }

  listen(receive: (data: unknown) => void): () => void {
    this.listening++;
    this.#receive = receive;
    return () => {
      this.listening--;
      this.#receive = undefined;
    };
  }

  send(frame: HostFrame): void {
    this.raw(structuredClone(frame));
  }

  /** Anything at all, as `postMessage` would deliver it. */
  raw(data: unknown): void {
    this.#receive?.(data);
  }

  calls(method: CallName): { readonly id: number; readonly body: unknown }[] {
    return this.frames.flatMap((frame) =>
      frame.t === "call" && frame.m === method ? [{ id: frame.id, body: frame.body }] : [],
    );
  }

  cancelled(): number[] {
    return this.frames.flatMap((frame) => (frame.t === "cancel" ? [frame.id] : []));
  }

  /** Answers the newest call of that name. */
  answer(method: CallName, body: unknown): void {
    const call = this.calls(method).at(-1);
    if (call === undefined) throw new Error(`no call of ${method}`);
    this.send({ v: 1, id: call.id, t: "ok", body });
  }
}

/** Lets settled promises run their continuations. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}
