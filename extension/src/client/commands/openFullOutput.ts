import type { OutputOpener } from "../views/outputOpener";
import { resultNode } from "./treeArguments";

/** Opens the full text of a result in the tree. */
export function openFullOutput(opener: OutputOpener): (target?: unknown) => Promise<void> {
  return async (target) => {
    const node = resultNode(target);
    const result = node?.session.result(node.row.index);
    if (node && result) await opener.openFull(node.session, result);
  };
}
