import type { WhatIfFacts, WhatIfInput, WhatIfOutcome } from "../../extension/src/protocol/whatIf";
import { recordedRows, recording } from "../../webview/dev/recordings";
import { WhatIfHost, whatIfThreads } from "../../webview/dev/whatIfHost";

/** The simulator over the dev page's sample. */
export const sampleHost = new WhatIfHost(whatIfThreads(recording("sample").threads, recordedRows("sample")));

export const sampleFacts = sampleHost.answer("whatIfOpen", { thread: null }) as WhatIfFacts;

export function run(input: WhatIfInput): WhatIfOutcome {
  return sampleHost.answer("whatIfRun", input) as WhatIfOutcome;
}
