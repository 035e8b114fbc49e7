import type { At } from "../builder";
import { below } from "../builder";
import { isObject, type JsonObject, own } from "../json";
import { plural } from "../problems";
import { timeText } from "../usage";
import { ContextParts } from "./contextParts";
import { addRequest, type Locate } from "./copilotRequest";
import { MutationLog } from "./mutationLog";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/**
 * VS Code chat sessions: one object, or the log of changes to it, which is replayed and read at its end. A log that has grown is
 * read anew: what is replayed is the whole chat with its texts, and each may change.
 */
export class CopilotChatReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["requests"]);
  override readonly members: ReadonlySet<string> = new Set(["sessionId", "creationDate", "customTitle"]);
  private readonly live = new ContextParts();
  private readonly log = new MutationLog();
  private readonly before = { isTold: false };
  private replayed = false;

  record(item: Item): void {
    const { value, texts, place } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const kind = own(value, "kind");
    if (typeof kind !== "number") {
      if (Array.isArray(own(value, "requests"))) this.session(value, (path) => below(atOf(item), ...path));
      else this.builder.unknownRecord("no kind", place);
      return;
    }
    this.replayed = true;
    // Real texts, because values of many records end up in one state.
    const real = texts.decoded();
    const stored = own(value, "v");
    const copy: unknown = stored === undefined ? undefined : JSON.parse(texts.decode(texts.compact(stored)) || "null");
    const at: At = { place, texts: real, path: ["v"] };
    if (this.log.apply(kind, decodePath(own(value, "k"), texts), copy, own(value, "i"), at)) return;
    this.builder.problems.tally(
      "refused-change",
      "warning",
      place,
      (count) => `${plural(count, "change")} of the chat log that cannot be applied; passed over.`,
    );
  }

  override member(key: string, item: Item): void {
    this.describeSession({ [key]: item.value }, atOf(item));
  }

  override element(_key: string, item: Item): void {
    this.request(item.value, (path) => below(atOf(item), ...path));
  }

  override finish(): void {
    if (this.replayed && isObject(this.log.value)) {
      const root = this.log.locate([]);
      if (root !== undefined) this.session(this.log.value, (path) => this.log.locate(path) ?? root);
    }
    this.thread();
  }

  private session(value: JsonObject, locate: Locate): void {
    this.describeSession(value, locate([]));
    const requests = own(value, "requests");
    if (!Array.isArray(requests)) return;
    requests.forEach((request, i) => {
      this.request(request, (path) => locate(["requests", i, ...path]));
    });
  }

  private describeSession(value: JsonObject, at: At): void {
    const { texts } = at;
    const id = texts.name(own(value, "sessionId"));
    const title = texts.name(own(value, "customTitle"));
    const startedAt = timeText(own(value, "creationDate"));
    if (this.main === undefined && id !== undefined) this.thread({ id });
    const state = this.thread();
    if (id !== undefined) this.builder.describe({ sessionId: id });
    if (title !== undefined) this.builder.updateThread(state, { title });
    if (startedAt !== undefined) this.builder.updateThread(state, { startedAt });
  }

  private request(request: unknown, locate: Locate): void {
    if (!isObject(request)) {
      this.builder.unknownRecord(typeof request, locate([]).place);
      return;
    }
    const state = this.thread();
    addRequest(
      {
        builder: this.builder,
        state,
        live: this.live,
        context: this.before,
        resultNotStored: (at) => {
          this.resultNotStored(at);
        },
        setModel: (model) => {
          this.setModel(state, model);
        },
      },
      request,
      locate,
    );
  }
}

function decodePath(path: unknown, texts: Item["texts"]): unknown {
  return Array.isArray(path) ? path.map((key: unknown) => (typeof key === "string" ? texts.decode(key) : key)) : path;
}
