import { type JsonObject, own } from "../json";
import type { ProblemLog } from "../problems";

/**
 * A session that Hermes wrote in the shape of Claude Code's records names itself where Claude Code keeps its version
 * (NousResearch/hermes-agent agent/trace_upload.py). It keeps no usage, all its times are that of the export.
 */
export function sayTrace(record: JsonObject, problems: ProblemLog): void {
  if (own(record, "version") !== "hermes-agent") return;
  problems.add({
    code: "exported-trace",
    severity: "info",
    message:
      "Hermes exported this session in the shape of Claude Code: times are those of the export, and its placeholders are not recognised. Open state.db, or export the session as JSON Lines (hermes sessions export).",
  });
}
