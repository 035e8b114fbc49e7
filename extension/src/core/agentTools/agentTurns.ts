import type { Cancel } from "../ports";
import {
  type Owner,
  ResultStore,
  type StoreLimits,
  type StorePorts,
  type StoreTurn,
} from "../results/store/resultStore";
import { Stop } from "./stopping";

/** One call inside a turn. */
export interface CallTurn {
  readonly stop: Stop;
  /** What this call saves and reads for a transcript; of no use once the turn was ended. */
  storeFor(transcript: string): StoreTurn;
  leave(): void;
}

interface Live {
  readonly stop: Stop;
  readonly stores: StoreTurn[];
}

/** The calls that are under way, by session, and the one store that all share. Holds nothing for sessions without calls. */
export class AgentTurns {
  private readonly store: ResultStore;
  private readonly live = new Map<string, Set<Live>>();
  private disposed = false;

  constructor(ports: StorePorts, limits: StoreLimits) {
    this.store = new ResultStore(ports, limits);
  }

  /** Calls that are under way. */
  get underWay(): number {
    let count = 0;
    for (const calls of this.live.values()) count += calls.size;
    return count;
  }

  enter(session: string, cancel: Cancel): CallTurn {
    const call: Live = { stop: new Stop(cancel), stores: [] };
    if (this.disposed) call.stop.end();
    const calls = this.live.get(session) ?? new Set();
    calls.add(call);
    this.live.set(session, calls);
    return {
      stop: call.stop,
      storeFor: (transcript) => {
        const owner: Owner = { session, transcript };
        const turn = this.store.beginTurn(owner);
        if (call.stop.isCancellationRequested) turn.end();
        else call.stores.push(turn);
        return turn;
      },
      leave: () => {
        end(call);
        calls.delete(call);
        if (calls.size === 0 && this.live.get(session) === calls) this.live.delete(session);
      },
    };
  }

  /** Stops the calls of a session that are under way. */
  end(session: string): void {
    for (const call of this.live.get(session) ?? []) end(call);
    this.live.delete(session);
  }

  dispose(): void {
    this.disposed = true;
    for (const session of [...this.live.keys()]) this.end(session);
  }
}

function end({ stop, stores }: Live): void {
  stop.end();
  for (const turn of stores) turn.end();
}
