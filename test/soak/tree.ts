import { DetailsStore } from "../../extension/src/client/sessions/detailsStore";
import { SessionIndex } from "../../extension/src/client/sessions/sessionIndex";
import type { Log } from "../../extension/src/core/ports";
import { nodeDigest } from "../../extension/src/node/digest";
import { peekFile } from "../../extension/src/node/peekFile";
import { nodeScanFiles } from "../../extension/src/node/scanFiles";
import { secretFinder } from "../../extension/src/node/secrets";
import { FIND_SESSIONS } from "../../extension/src/node/sessions/agentSessions";
import { systemTime, TimeSlices } from "../../extension/src/node/sessions/timeSlices";
import { Walk } from "../../extension/src/node/sessions/walk";

/** One look at the sessions of a Claude Code home, as the tree of a new window takes it: how many it lists. */
export async function lookAtSessions(root: string, store: string, log: Log): Promise<number> {
  const slices = new TimeSlices();
  const index = new SessionIndex({
    sources: [
      {
        id: "c",
        label: "c",
        gather: "folder",
        find: () => FIND_SESSIONS["claude-code"]([root], new Walk(nodeScanFiles)),
      },
    ],
    files: nodeScanFiles,
    peek: peekFile,
    secrets: secretFinder(),
    store: new DetailsStore(store, slices),
    slices,
    time: systemTime,
    openFolders: () => [],
    sha256Hex: nodeDigest.sha256Hex,
    log,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return { dispose: () => clearTimeout(timer) };
    },
  });
  try {
    await index.settled();
    return index.found("c").sessions.length;
  } finally {
    index.dispose();
  }
}
