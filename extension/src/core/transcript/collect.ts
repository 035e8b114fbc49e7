import type { Problem } from "../model/problem";
import type { Compaction, Message, ModelCall, Thread, ToolResult, TranscriptHeader } from "../model/transcript";
import type { UsageLedger } from "../model/usageLedger";
import type { TranscriptEvent, TranscriptIndex } from "./events";

/** Gathers a transcript's events; later events replace earlier ones as `TranscriptEvent` says. */
export class Collector {
  private header: TranscriptHeader | undefined;
  private readonly threads = new Map<string, Thread>();
  private readonly messages: Message[] = [];
  private readonly calls: ModelCall[] = [];
  private readonly callAt = new Map<string, number>();
  private readonly results: ToolResult[] = [];
  private readonly compactions: Compaction[] = [];
  private readonly problems: Problem[] = [];
  private ledger: UsageLedger | undefined;

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "header":
          this.header = event.header;
          break;
        case "thread":
          this.threads.set(event.thread.id, event.thread);
          break;
        case "message":
          this.message(event.message, event.replaces);
          break;
        case "call":
          this.call(event.call);
          break;
        case "result":
          this.results[event.result.index] = event.result;
          break;
        case "problem":
          this.problems.push(event.problem);
          break;
        case "compaction": {
          const { kind: _, ...compaction } = event;
          this.compactions.push(compaction);
          break;
        }
        case "ledger":
          this.ledger = event.ledger;
          break;
        case "progress":
          break;
      }
    }
  }

  private message(message: Message, replaces: Message | undefined): void {
    const isOld = (old: Message): boolean => old.index === message.index && old.threadId === message.threadId;
    const at = replaces === undefined ? -1 : this.messages.findLastIndex(isOld);
    if (at < 0) this.messages.push(message);
    else this.messages[at] = message;
  }

  private call(call: ModelCall): void {
    const key = `${call.number} ${call.threadId}`;
    const at = this.callAt.get(key);
    if (at !== undefined) {
      this.calls[at] = call;
      return;
    }
    this.callAt.set(key, this.calls.length);
    this.calls.push(call);
  }

  index(): TranscriptIndex {
    const { header, messages, calls, results, compactions, problems, ledger } = this;
    return { header, threads: [...this.threads.values()], messages, calls, results, compactions, problems, ledger };
  }
}

/** Reads all batches into one index. */
export async function collect(batches: AsyncIterable<readonly TranscriptEvent[]>): Promise<TranscriptIndex> {
  const collector = new Collector();
  for await (const events of batches) collector.add(events);
  return collector.index();
}
