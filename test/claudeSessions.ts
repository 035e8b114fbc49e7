import { DetailsStore } from "../extension/src/client/sessions/detailsStore";
import { SessionIndex } from "../extension/src/client/sessions/sessionIndex";
import type { Log } from "../extension/src/core/ports";
import { nodeDigest } from "../extension/src/node/digest";
import { peekFile } from "../extension/src/node/peekFile";
import { nodeScanFiles } from "../extension/src/node/scanFiles";
import { secretFinder } from "../extension/src/node/secrets";
import { FIND_SESSIONS } from "../extension/src/node/sessions/agentSessions";
import { systemTime, TimeSlices } from "../extension/src/node/sessions/timeSlices";
import { Walk } from "../extension/src/node/sessions/walk";

/** The index of one Claude Code home, which is its source "c", as the tree of a new window makes it. `store`: the file of its details. */
export function claudeSessions(root: string, store: string, log: Log): SessionIndex {
  const slices = new TimeSlices();
  return new SessionIndex({
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
}
