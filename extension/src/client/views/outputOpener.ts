import * as vscode from "vscode";
import { err, ok, type Result } from "../../core/model/problem";
import type { ToolResult } from "../../core/model/transcript";
import type { FileAccess, Log } from "../../core/ports";
import { followable, type Ground, planOpening, visible } from "../../node/openRules";
import type { Prompts } from "../prompts";
import type { FullOutputs } from "./fullOutputs";
import { INSPECTOR_VIEW_TYPE } from "./inspectorProvider";
import type { InspectorSession } from "./inspectorSession";
import { rangeOf } from "./pages";

export interface OutputOpenerParts {
  readonly outputs: FullOutputs;
  readonly files: FileAccess;
  readonly prompts: Prompts;
  readonly ground: Ground;
  readonly log: Log;
}

/** Files larger than this many bytes VS Code does not share with extensions, and opens badly. */
const HUGE_BYTES = 50 * 1024 * 1024;

/** What the question says besides the path. */
const WHY_ASKED = {
  outside:
    "It lies outside the folders in which the agent saves tool output. A transcript is untrusted: a model may have chosen this path.",
  "not-trusted":
    "This workspace is not trusted, so only what you open is read. A transcript is untrusted: a model may have chosen this path.",
} as const;

/** True: something was opened · false: the user said no, or was asked · error: why there is nothing to open. */
export type Opened = Result<boolean, string>;

/** Opens what an inspector row stands for: its full text, or its record in the transcript. */
export class OutputOpener {
  readonly #parts: OutputOpenerParts;

  constructor(parts: OutputOpenerParts) {
    this.#parts = parts;
  }

  /** Opens the full text of a result. */
  async openFull(session: InspectorSession, result: ToolResult): Promise<Opened> {
    await keepInspector();
    const plan = planOpening(result, await session.report(result));
    switch (plan.from) {
      case "known-file":
        await this.#parts.outputs.open({
          kind: "file",
          path: plan.path,
          realPath: plan.path,
          identity: plan.identity,
        });
        return ok(true);
      case "transcript":
        return this.#openText(session, result);
      case "ask":
        return this.#openAfterAsking(plan.path, WHY_ASKED[plan.why]);
      case "nowhere":
        return err(plan.why);
    }
  }

  /** Reveals a line of the transcript in VS Code's text editor; of a database, the row as a read-only document. */
  async reveal(session: InspectorSession, line: number): Promise<Opened> {
    await keepInspector();
    if (session.isDatabase) return this.#openRow(session, line);
    const stat = await this.#parts.files.stat(session.path);
    if (stat.kind === "missing") return err(`${session.path} is not there any more.`);
    if (stat.kind === "unreadable") return err(`${session.path} cannot be read: ${stat.reason}`);
    if (stat.bytes > HUGE_BYTES) return this.#offerRecord(session, line, stat.bytes);
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(session.path), "default", {
      selection: new vscode.Range(at, at),
      preview: true,
    });
    return ok(true);
  }

  async #openText(session: InspectorSession, result: ToolResult): Promise<Opened> {
    const ref = result.fullText ?? result.body;
    if (!ref) return err("The transcript holds no text for this result.");
    const name = `${result.tool ?? "result"} ${result.callId ?? `#${result.index + 1}`}.txt`;
    await this.#parts.outputs.open({ kind: "text", name, read: () => session.text(ref) });
    return ok(true);
  }

  async #openRow(session: InspectorSession, id: number): Promise<Opened> {
    const place = await session.recordAt(id);
    const row = place?.row;
    if (place === undefined || row === undefined) return err(`No row ${id} is known here; reload the transcript.`);
    const name = `${row.table} row ${row.id}.json`;
    await this.#parts.outputs.open({ kind: "text", name, read: () => session.row(place) });
    return ok(true);
  }

  /** The user sees the full path first. Should it be a link, the place where it leads is shown as well before it is read. */
  async #openAfterAsking(written: string, reason: string): Promise<Opened> {
    const { prompts, files, outputs, ground } = this.#parts;
    const followed = followable(written, ground);
    if (!followed.ok) return followed;
    const path = followed.value;
    const question = "Open a file named by the transcript?";
    if (!(await prompts.confirm(question, `${visible(path)}\n\n${reason}`, "Open"))) return ok(false);
    const stat = await files.stat(path);
    if (stat.kind === "missing") return err(`${visible(path)} is not on this machine.`);
    if (stat.kind === "unreadable") return err(`${visible(path)} cannot be read: ${stat.reason}`);
    if (stat.kind !== "file") return err(`${visible(path)} is not a file.`);
    if (stat.realPath !== path) {
      const detail = `${visible(path)}\n\nis a link to\n\n${visible(stat.realPath)}`;
      if (!(await prompts.confirm("Open the file where this link leads?", detail, "Open"))) return ok(false);
    }
    await outputs.open({ kind: "file", path, realPath: stat.realPath, identity: stat.identity });
    return ok(true);
  }

  /** Answers at once: a notification can stay unanswered for ever. */
  async #offerRecord(session: InspectorSession, line: number, bytes: number): Promise<Opened> {
    const { prompts, files, outputs, log } = this.#parts;
    const place = await session.recordAt(line);
    const problem = `The transcript has ${Math.round(bytes / 1024 / 1024)} MB, too much for the text editor.`;
    if (!place) return err(`${problem} The place is line ${line}.`);
    const offer = async (): Promise<void> => {
      if ((await prompts.info(problem, "Show This Record")) !== "Show This Record") return;
      const source = rangeOf(await files.open(session.path), place.start, place.end);
      await outputs.open({ kind: "range", name: `line ${line}.json`, source });
    };
    offer().catch((error: unknown) => log.error("Showing a record failed", error));
    return ok(false);
  }
}

/** An inspector in a preview tab would be replaced by what is opened from it. */
export async function keepInspector(): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom && input.viewType === INSPECTOR_VIEW_TYPE) {
    await vscode.commands.executeCommand("workbench.action.keepEditor");
  }
}
