import * as vscode from "vscode";
import type { ToolResult } from "../../core/model/transcript";
import type { FileAccess } from "../../core/ports";
import type { Prompts } from "../prompts";
import type { FullOutputs } from "./fullOutputs";
import { INSPECTOR_VIEW_TYPE } from "./inspectorProvider";
import type { InspectorSession } from "./inspectorSession";
import { planOpening } from "./openRules";
import { rangeOf } from "./pages";

export interface OutputOpenerParts {
  readonly outputs: FullOutputs;
  readonly files: FileAccess;
  readonly prompts: Prompts;
}

/** Files larger than this many bytes VS Code does not share with extensions, and opens badly. */
const HUGE_BYTES = 50 * 1024 * 1024;

/** Opens what an inspector row stands for: its full text, or its record in the transcript. */
export class OutputOpener {
  readonly #parts: OutputOpenerParts;

  constructor(parts: OutputOpenerParts) {
    this.#parts = parts;
  }

  /** True when something was opened; otherwise the user was told why not, or said no. */
  async openFull(session: InspectorSession, result: ToolResult): Promise<boolean> {
    await keepInspector();
    const plan = planOpening(result, await session.report(result));
    switch (plan.from) {
      case "known-file":
        await this.#parts.outputs.open({ kind: "file", path: plan.path, realPath: plan.path });
        return true;
      case "transcript":
        return this.#openText(session, result);
      case "ask":
        return this.#openAfterAsking(plan.path);
      case "nowhere":
        this.#tell(plan.why);
        return false;
    }
  }

  /** Reveals a line of the transcript in VS Code's text editor. */
  async reveal(session: InspectorSession, line: number): Promise<boolean> {
    await keepInspector();
    const stat = await this.#parts.files.stat(session.path);
    if (stat.kind === "missing" || stat.kind === "unreadable") {
      this.#tell(
        `${session.path} cannot be opened: it is ${stat.kind === "missing" ? "not there any more" : stat.reason}.`,
      );
      return false;
    }
    if (stat.bytes > HUGE_BYTES) return this.#offerRecord(session, line, stat.bytes);
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(session.path), "default", {
      selection: new vscode.Range(at, at),
      preview: true,
    });
    return true;
  }

  async #openText(session: InspectorSession, result: ToolResult): Promise<boolean> {
    const ref = result.fullText ?? result.body;
    if (!ref) {
      this.#tell("The transcript holds no text for this result.");
      return false;
    }
    const name = `${result.tool ?? "result"} ${result.callId ?? `#${result.index + 1}`}.txt`;
    await this.#parts.outputs.open({ kind: "text", name, read: () => session.text(ref) });
    return true;
  }

  /** The user sees the full path first. Should it be a link, the place where it leads is shown as well before it is read. */
  async #openAfterAsking(path: string): Promise<boolean> {
    const { prompts, files, outputs } = this.#parts;
    const question = "Open a file named by the transcript?";
    const reason =
      "It lies outside the folders in which the agent saves tool output. A transcript is untrusted: a model may have chosen this path.";
    if (!(await prompts.confirm(question, `${path}\n\n${reason}`, "Open"))) return false;
    const stat = await files.stat(path);
    if (stat.kind === "missing" || stat.kind === "unreadable") {
      this.#tell(
        stat.kind === "missing" ? `${path} is not on this machine.` : `${path} cannot be read: ${stat.reason}`,
      );
      return false;
    }
    if (stat.kind !== "file") {
      this.#tell(`${path} is not a file.`);
      return false;
    }
    if (stat.realPath !== path) {
      const detail = `${path}\n\nis a link to\n\n${stat.realPath}`;
      if (!(await prompts.confirm("Open the file where this link leads?", detail, "Open"))) return false;
    }
    await outputs.open({ kind: "file", path, realPath: stat.realPath });
    return true;
  }

  async #offerRecord(session: InspectorSession, line: number, bytes: number): Promise<boolean> {
    const { prompts, files, outputs } = this.#parts;
    const megabytes = Math.round(bytes / 1024 / 1024);
    const place = session.recordAt(line);
    const problem = `The transcript has ${megabytes} MB; the text editor cannot show a file of that size well.`;
    if (!place) {
      this.#tell(`${problem} Look for line ${line} with another tool.`);
      return false;
    }
    if ((await prompts.info(problem, "Show This Record")) !== "Show This Record") return false;
    const source = rangeOf(await files.open(session.path), place.start, place.end);
    await outputs.open({ kind: "range", name: `line ${line}.json`, source });
    return true;
  }

  #tell(message: string): void {
    // Shown beside what the user does; nobody waits until it is dismissed.
    void this.#parts.prompts.info(message);
  }
}

/** An inspector in a preview tab would be replaced by what is opened from it. */
async function keepInspector(): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom && input.viewType === INSPECTOR_VIEW_TYPE) {
    await vscode.commands.executeCommand("workbench.action.keepEditor");
  }
}
