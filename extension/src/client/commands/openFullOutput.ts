import type { Prompts } from "../prompts";
import type { OutputOpener } from "../views/outputOpener";
import { resultNode } from "./treeArguments";

/** Opens the full text of a result in the tree. */
export function openFullOutput(opener: OutputOpener, prompts: Prompts): (target?: unknown) => Promise<void> {
  return async (target) => {
    const node = resultNode(target);
    const result = await node?.session.result(node.row.index);
    if (!node || !result) return;
    const opened = await opener.openFull(node.session, result);
    if (!opened.ok) await prompts.info(opened.error);
  };
}
