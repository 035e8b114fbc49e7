import { err, ok, type Result } from "../../core/model/problem";
import type { WhatIfCalls } from "../../protocol/whatIf";
import type { CallFailure } from "./hostRpc";
import type { InspectorSession } from "./inspectorSession";
import type { CancelWithHook } from "./sessionPorts";

/** What a page can make the host do with a simulation. True = done, false = the user said no, error = why it cannot be. */
export interface WhatIfActions {
  diff(
    session: InspectorSession,
    wanted: WhatIfCalls["whatIfDiff"]["in"],
    cancel: CancelWithHook,
  ): Promise<Result<boolean, CallFailure>>;
  apply(threshold: number): Promise<Result<boolean, CallFailure>>;
  exportRun(
    session: InspectorSession,
    wanted: WhatIfCalls["whatIfExport"]["in"],
    cancel: CancelWithHook,
  ): Promise<Result<boolean, CallFailure>>;
}

export type WhatIfHandlers = {
  readonly [M in keyof WhatIfCalls]: (
    input: WhatIfCalls[M]["in"],
    cancel: CancelWithHook,
  ) => Promise<Result<WhatIfCalls[M]["out"], CallFailure>>;
};

/** Answers of one page's calls. Pages of one transcript share its simulations, but none drops a question of another. */
export function whatIfHandlers(session: InspectorSession, actions: WhatIfActions): WhatIfHandlers {
  const page = {};
  const { whatIf } = session;
  return {
    whatIfOpen: ({ thread }, cancel) => whatIf.open(thread, page, cancel),
    whatIfRun: (input, cancel) => whatIf.ask("run", input, page, cancel),
    whatIfAffected: (input, cancel) => whatIf.ask("affected", input, page, cancel),
    whatIfCurve: (input, cancel) => whatIf.ask("curve", input, page, cancel),
    whatIfDiff: async (input, cancel) => opened(await actions.diff(session, input, cancel)),
    whatIfApply: async ({ threshold }) => {
      const applied = await actions.apply(threshold);
      return applied.ok ? ok({ applied: applied.value }) : applied;
    },
    whatIfExport: async (input, cancel) => opened(await actions.exportRun(session, input, cancel)),
  };
}

function opened(outcome: Result<boolean, CallFailure>): Result<{ readonly opened: boolean }, CallFailure> {
  return outcome.ok ? ok({ opened: outcome.value }) : err(outcome.error);
}
