import { isObject, own } from "../json";
import { OpenhandsV0 } from "./openhandsV0";
import { OpenhandsV1 } from "./openhandsV1";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** OpenHands events of both generations, as a list or one per line, and the state file that lies beside the newer ones. */
export class OpenhandsReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["events", "trajectory", "history"]);
  override readonly members: ReadonlySet<string> = new Set([
    "id",
    "execution_status",
    "agent",
    "stats",
    "leaf_event_id",
  ]);
  private readonly old = new OpenhandsV0(this.context.builder);
  private readonly recent = new OpenhandsV1(this.context.builder);
  private isState = false;
  private events = 0;

  record(item: Item): void {
    const { value } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    this.events++;
    const state = this.thread({ startedAt: item.texts.name(own(value, "timestamp")) });
    if (typeof own(value, "kind") === "string") this.recent.event(state, value, atOf(item));
    else this.old.event(state, value, atOf(item));
    this.setModel(state, this.old.model ?? this.recent.model);
  }

  override member(key: string, item: Item): void {
    const { value, texts } = item;
    if (key === "execution_status") this.isState = true;
    else if (key === "id") this.named(texts.name(value));
    else if (key === "agent") this.setModel(this.thread(), texts.name(own(own(value, "llm"), "model")));
    else if (key === "leaf_event_id") this.recent.leaf(this.thread(), texts.name(value), atOf(item));
    else if (key === "stats") this.recent.stats(this.thread(), value, atOf(item));
  }

  /** The state's id names the conversation; behind its events it only says which session this is. */
  private named(id: string | undefined): void {
    if (this.main === undefined) this.thread({ id });
    else if (id !== undefined) this.builder.describe({ sessionId: id });
  }

  override finish(): void {
    this.thread();
    if (!this.isState || this.events > 0) return;
    this.builder.problems.add({
      code: "part-of-store",
      severity: "warning",
      message:
        "This is the state of an OpenHands conversation. Its events lie in the folder “events” beside it; open those.",
    });
  }
}
