import { type Detected, detectLines } from "../formatTables";
import { plural } from "../problems";
import { ClaudeCodeReader } from "./claudeCode";
import { CodexExecReader } from "./codexExec";
import { CopilotEventsReader } from "./copilotEvents";
import type { Item, Reader } from "./reader";
import { RecordReader } from "./recordReader";

/**
 * OpenMausBot's native log: lines that wrap what its driver's agent said in that agent's own protocol. Each line is read as
 * a document, so that the place of `msg` is its own; the first one that is known decides who reads all of them.
 */
export class OpenmausbotNativeReader extends RecordReader {
  override readonly members: ReadonlySet<string> = new Set(["msg"]);
  private inner: Reader | undefined;

  record(item: Item): void {
    this.notARecord(item);
  }

  override member(_key: string, item: Item): void {
    this.inner ??= this.choose(detectLines([item.value]));
    if (this.inner === undefined) this.passed(item);
    else this.inner.record(item);
  }

  override finish(): void {
    if (this.inner !== undefined) this.inner.finish();
    else this.thread();
  }

  private choose(found: Detected | undefined): Reader | undefined {
    const format = found?.format;
    if (format === "claude-code") return new ClaudeCodeReader(this.context);
    if (format === "codex-exec") return new CodexExecReader(this.context);
    if (format === "copilot-events") return new CopilotEventsReader(this.context);
    return undefined;
  }

  private passed(item: Item): void {
    this.builder.problems.tally(
      "unknown-protocol",
      "info",
      item.place,
      (count) => `${plural(count, "message")} of a driver whose protocol is not known here; passed over.`,
    );
  }
}
