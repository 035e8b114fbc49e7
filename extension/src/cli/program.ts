import type { SkimThread } from "../node/earlyThread";
import { tellLoaded } from "../node/openFile";
import { run } from "./main";
import { processIo } from "./processIo";

/** The whole of `context-budget`; `helper`: a thread that helps to read, if one was started already. */
export async function program(argv: readonly string[], helper: SkimThread | undefined): Promise<void> {
  tellLoaded();
  process.exitCode = await run(argv, processIo(helper));
}
