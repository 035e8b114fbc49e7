import { createAgentTools } from "../../../extension/src/core/agentTools/createAgentTools";
import type { AgentToolPorts } from "../../../extension/src/core/agentTools/ports";
import { err } from "../../../extension/src/core/model/problem";
import type { SecretSpan } from "../../../extension/src/core/ports";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";

/** A clock and timers that stand still until they are told. */
export class FakeTime {
  now = 1_000_000;
  private readonly timers = new Set<{ readonly at: number; readonly run: () => void }>();

  after = (ms: number, run: () => void): { dispose(): void } => {
    const timer = { at: this.now + ms, run };
    this.timers.add(timer);
    return { dispose: () => this.timers.delete(timer) };
  };

  /** Timers that nobody disposed of. */
  get waiting(): number {
    return this.timers.size;
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.timers.delete(due);
      this.now = Math.max(this.now, due.at);
      due.run();
    }
    this.now = end;
  }
}

/** Secrets of these tests: `SECRET-` and capital letters. */
export async function findSecrets(text: string): Promise<readonly SecretSpan[]> {
  return [...text.matchAll(/SECRET-[A-Z]+/g)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    rule: "test",
  }));
}

export interface FakePorts extends AgentToolPorts {
  readonly time: FakeTime;
  readonly troubles: string[];
}

/** Ports that refuse everything but what a test gives. */
export function fakePorts(parts: Partial<AgentToolPorts> = {}): FakePorts {
  const time = new FakeTime();
  const troubles: string[] = [];
  let number = 0;
  const nothing = async () => err({ message: "not in this test" });
  return {
    time,
    troubles,
    mayRead: async (path) => ({ ok: true, value: path }),
    listSessions: nothing,
    listResults: nothing,
    listThreads: nothing,
    readResult: nothing,
    explainConfig: nothing,
    simulate: nothing,
    finder: { find: findSecrets },
    clock: { now: () => time.now },
    newId: () => `r-${String(number++).padStart(8, "0")}-0000-4000-8000-000000000000`,
    after: time.after,
    trouble: (message) => troubles.push(message),
    dispose: () => undefined,
    ...parts,
  };
}

/** Where the session of these tests lies. */
export const SESSION = "/home/dana/session.jsonl";

/** The tools over fake ports, and their ports. */
export function harness(parts: Partial<AgentToolPorts> = {}) {
  const ports = fakePorts(parts);
  const tools = createAgentTools(ports);
  return {
    ports,
    tools,
    call: (name: string, input: unknown, session = "chat", cancel = NEVER_CANCELLED) =>
      tools.call(`contextBudget_${name}`, input, { session }, cancel),
  };
}
