import { err } from "../model/problem";
import type { Cancel } from "../ports";
import { ASK_LIMITS } from "./limits";
import type { AgentToolPorts, Answered } from "./ports";

/** How often it is looked whether a call was stopped, milliseconds. */
const POLL_MS = 50;

const STOPPED = "The call was stopped, so nothing was read. Call the tool again if the answer is still needed.";
const TOO_LONG = `The call took more than ${ASK_LIMITS.patienceMs / 1000} seconds and was stopped. Ask for less: fewer rows, one thread, a smaller session.`;

/** One call's right to go on: ends with the token, with the turn, and when its time is up. */
export class Stop implements Cancel {
  private ended = false;
  private late = false;

  constructor(private readonly cancel: Cancel) {}

  get isCancellationRequested(): boolean {
    return this.ended || this.late || this.cancel.isCancellationRequested;
  }

  /** The turn ended. */
  end(): void {
    this.ended = true;
  }

  timeIsUp(): void {
    this.late = true;
  }

  get message(): string {
    return this.late ? TOO_LONG : STOPPED;
  }
}

/**
 * What `work` gives, unless it is stopped first or its time is up: then it is not waited for, and what it gives is dropped. A
 * failure of what nobody waits for any more is for the log.
 */
export async function unlessStopped<T>(
  work: Promise<Answered<T>>,
  stop: Stop,
  { after, trouble }: Pick<AgentToolPorts, "after" | "trouble">,
): Promise<Answered<T>> {
  let timer: { dispose(): void } | undefined;
  let waitedMs = 0;
  let isOver = false;
  const stopped = new Promise<Answered<T>>((resolve) => {
    const look = (): void => {
      waitedMs += POLL_MS;
      if (waitedMs >= ASK_LIMITS.patienceMs) stop.timeIsUp();
      if (stop.isCancellationRequested) resolve(err({ message: stop.message }));
      else timer = after(POLL_MS, look);
    };
    timer = after(POLL_MS, look);
  });
  work.catch((error: unknown) => {
    if (isOver) trouble("A call that had been stopped failed", error);
  });
  try {
    const answer = await Promise.race([work, stopped]);
    return stop.isCancellationRequested ? err({ message: stop.message }) : answer;
  } finally {
    isOver = true;
    timer?.dispose();
  }
}
