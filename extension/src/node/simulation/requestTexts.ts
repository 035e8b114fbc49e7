import { err, type Result } from "../../core/model/problem";
import type { Cancel } from "../../core/ports";
import type { RequestTexts, SimulationQuestions } from "../../protocol/simulation";
import type { LoadedTranscript } from "./loadTranscript";
import type { SimulatedThread } from "./simulatedThread";

export async function requestTexts(
  _loaded: LoadedTranscript,
  _thread: SimulatedThread,
  _wanted: SimulationQuestions["request"]["in"],
  _cancel: Cancel,
): Promise<Result<RequestTexts> | undefined> {
  return err({ code: "not-yet", severity: "error", message: "Requests cannot be shown yet." });
}
