import { COMPRESSION_SETTINGS } from "./compressionSettings";
import { RESULT_SETTINGS } from "./resultSettings";
import { CONFIG, INT_1, setting, UNKNOWN } from "./setting";
import type { Setting } from "./types";

/** Keys that decide how much of a tool result stays in context, and when context is compacted. */
export const SETTINGS: readonly Setting[] = [
  ...RESULT_SETTINGS,
  ...COMPRESSION_SETTINGS,
  setting("context.engine", { kind: "text" }, "none", "compressor", "What manages context.", {
    trap: "The prune keys do nothing for other engines.",
    source: CONFIG,
  }),
  setting("sessions.write_json_snapshots", UNKNOWN, "none", false, "Writes each session also as JSON.", {
    source: CONFIG,
  }),
  setting(
    "sessions.max_resume_messages",
    UNKNOWN,
    "messages",
    20000n,
    "Most messages read when a session resumes. 0 = no limit.",
    { source: CONFIG },
  ),
  setting("sessions.max_export_messages", UNKNOWN, "messages", 20000n, "Most messages of an export. 0 = no limit.", {
    source: CONFIG,
  }),
  setting("agent.max_turns", UNKNOWN, "turns", null, "Calls that one request may take.", { source: CONFIG }),
];

/** Stand at many places and so not in the table. */
export const PROVIDER_WINDOWS: readonly Setting[] = [
  "custom_providers[].models.<model>.context_length",
  "providers.<name>.models.<model>.context_length",
].map((name) =>
  setting(
    name,
    INT_1,
    "tokens",
    null,
    "Context window of one model of this provider, where `model.context_length` states none.",
    { trap: '"256K" is ignored.', source: "agent/model_metadata.py @00067189", missing: true },
  ),
);

const BY_NAME: ReadonlyMap<string, Setting> = new Map(SETTINGS.map((one) => [one.name, one]));

/** The setting of that full name, dots included; undefined for every other key. */
export function settingNamed(name: string): Setting | undefined {
  return BY_NAME.get(name);
}
