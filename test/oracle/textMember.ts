import { isDict } from "../../extension/src/core/compaction/hermes/pythonText";
import type { PythonJson } from "../../extension/src/core/util/pythonJson";

/** A member that is a text; undefined when it is missing or anything else. */
export function textMember(value: PythonJson | undefined, key: string): string | undefined {
  const member = isDict(value) ? value.members.get(key) : undefined;
  return member?.kind === "string" ? member.text : undefined;
}
