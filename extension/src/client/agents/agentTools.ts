import * as vscode from "vscode";
import type { FileAccess } from "../../core/ports";
import { codeFence } from "../../core/util/markdown";
import { followable, visible } from "../../node/openRules";
import { type Disposable, Lifetime } from "../lifetime";
import { callTool } from "./callTool";
import { chatSession } from "./chatSession";
import type { HostTools } from "./hostTools";
import { linesOf } from "./pathLines";
import { TOOL_WORDS, TOOLS_OFF, WHAT_FOR } from "./toolWords";

export interface AgentToolsParts {
  /** Names of the tools, as the manifest has them. */
  readonly names: readonly string[];
  /** Called at the first use of a tool. */
  readonly load: () => Promise<HostTools>;
  readonly isOn: () => boolean;
  readonly files: Pick<FileAccess, "stat">;
  readonly ground: Parameters<typeof followable>[1];
}

/** Registers the tools for agents. Until one of them is called nothing of them is loaded. */
export function registerAgentTools(parts: AgentToolsParts): Disposable {
  const lifetime = new Lifetime();
  let loaded: Promise<HostTools> | undefined;
  const load = (): Promise<HostTools> => {
    loaded ??= parts.load();
    return loaded;
  };
  for (const name of parts.names) {
    lifetime.add(
      vscode.lm.registerTool<unknown>(name, {
        prepareInvocation: async ({ input }) => {
          const works = TOOL_WORDS[name]?.works;
          const invocationMessage = works === undefined ? {} : { invocationMessage: works };
          if (!parts.isOn()) return invocationMessage;
          const file = (await load()).tools.fileOf(name, input);
          const confirmationMessages = file === undefined ? undefined : await questionOf(name, file, parts);
          return { ...invocationMessage, ...(confirmationMessages === undefined ? {} : { confirmationMessages }) };
        },
        invoke: async ({ input, toolInvocationToken }, token) => {
          if (!parts.isOn()) throw new Error(TOOLS_OFF);
          const session = chatSession(toolInvocationToken);
          const answer = await callTool(await load(), { name, input, session }, token);
          if (answer === undefined) throw new vscode.CancellationError();
          // What a model reads of a failed call is the message of an error.
          if (!answer.ok) throw new Error(answer.text);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer.text)]);
        },
      }),
    );
  }
  lifetime.add({
    dispose: () => {
      loaded?.then(
        ({ tools }) => tools.dispose(),
        // Who called it has heard of it.
        () => undefined,
      );
    },
  });
  return lifetime;
}

/**
 * The question that VS Code asks before the tool runs. The path is code: nothing in it is a link or a mark. The chat neither breaks
 * code nor shows what is beyond its narrow view, so lines are made here. Undefined for what is no path here: the call says what is wrong.
 */
async function questionOf(
  name: string,
  file: string,
  { files, ground }: AgentToolsParts,
): Promise<vscode.LanguageModelToolConfirmationMessages | undefined> {
  const words = TOOL_WORDS[name];
  const followed = followable(file, ground);
  if (words?.question === undefined || !followed.ok) return undefined;
  const path = followed.value;
  const stat = await files.stat(path);
  const leadsTo =
    stat.kind === "file" && stat.realPath !== path ? `\n\nThrough a link it leads to:\n\n${asCode(stat.realPath)}` : "";
  const message = new vscode.MarkdownString(`${WHAT_FOR} ${words.reads}\n\n${asCode(path)}${leadsTo}`);
  return { title: words.question, message };
}

/** A path as lines of code, with every character visible. */
function asCode(path: string): string {
  const shown = visible(path);
  const fence = codeFence(shown);
  return linesOf(shown)
    .map((line) => `${fence} ${line} ${fence}`)
    .join("  \n");
}
