import { err, type Result } from "../../core/model/problem";
import type { CallFailure } from "./hostRpc";
import type { WhatIfActions } from "./whatIfHandlers";

const NOT_YET: Result<boolean, CallFailure> = err({ code: "failed", message: "This is not there yet." });

/** What simulations show in editors of their own. */
export class WhatIfViews implements WhatIfActions {
  async diff(): Promise<Result<boolean, CallFailure>> {
    return NOT_YET;
  }

  async apply(): Promise<Result<boolean, CallFailure>> {
    return NOT_YET;
  }

  async exportRun(): Promise<Result<boolean, CallFailure>> {
    return NOT_YET;
  }
}
