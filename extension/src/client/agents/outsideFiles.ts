import type { AgentToolPorts } from "../../core/agentTools/ports";
import type { Cancel, FileAccess } from "../../core/ports";
import { followable, type Ground, visible } from "../../node/openRules";
import type { Prompts } from "../prompts";

export interface OutsideFilesParts {
  readonly mayRead: AgentToolPorts["mayRead"];
  readonly files: Pick<FileAccess, "stat">;
  readonly ground: () => Ground;
  readonly isTrusted: () => boolean;
  readonly prompts: Pick<Prompts, "confirm">;
}

/** Sessions whose answers are remembered; the ones asked longest ago are asked again. */
const MAX_SESSIONS = 100;
/** Files that one session may ask about; of a session that asks for more nobody is asked. */
const MAX_FILES = 20;

const QUESTION = "An agent asks to read a file outside the open folders and the homes of agents. Let it?";
const WHY =
  "A model chose this path. What stands in the file may go to the model, with secrets masked. Your answer counts for this chat.";

/**
 * Files that agents name and that the rule of `mayRead` leaves to people. VS Code's own question before a tool runs does not do here:
 * once somebody chose to always allow a tool, it is not shown any more, whatever path the next call names.
 */
export class OutsideFiles {
  readonly #parts: OutsideFilesParts;
  /** By session and path, in the order in which sessions asked last. */
  readonly #answers = new Map<string, Map<string, Promise<boolean>>>();

  constructor(parts: OutsideFilesParts) {
    this.#parts = parts;
  }

  /** The path, when it needs the user's consent and has it; asks at most once per session and path. */
  async confirmed(
    file: string,
    what: "transcript" | "config",
    session: string,
    cancel: Cancel,
  ): Promise<string | undefined> {
    const { mayRead, files, ground, isTrusted, prompts } = this.#parts;
    if (!isTrusted() || (await mayRead(file, what, { session }, cancel)).ok) return undefined;
    const followed = followable(file, ground());
    if (!followed.ok) return undefined;
    const path = followed.value;
    const stat = await files.stat(path);
    // Anything but a plain file is refused whatever people say, with a reason that names where a link leads.
    if (stat.kind !== "file" || stat.realPath !== path || cancel.isCancellationRequested) return undefined;
    const answers = this.#of(session);
    let answer = answers.get(path);
    if (answer === undefined) {
      if (answers.size >= MAX_FILES) return undefined;
      answer = prompts.confirm(QUESTION, `${visible(path)}\n\n${WHY}`, "Let It Read");
      answers.set(path, answer);
    }
    return (await answer) ? path : undefined;
  }

  #of(session: string): Map<string, Promise<boolean>> {
    const answers = this.#answers.get(session) ?? new Map<string, Promise<boolean>>();
    this.#answers.delete(session);
    this.#answers.set(session, answers);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_SESSIONS && oldest !== undefined) this.#answers.delete(oldest);
    return answers;
  }
}
