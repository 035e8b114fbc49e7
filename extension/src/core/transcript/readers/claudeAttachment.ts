import { own } from "../json";

/**
 * What an `attachment` record puts into the context, as far as the record holds it: prompts that were typed while the agent
 * worked, what a hook added, memory files and files of the editor (as written by Claude Code 2.1.200 and later). The words
 * around it and the line numbers are not in the record. Undefined for other kinds.
 */
export function attachmentContent(attachment: unknown): unknown {
  switch (own(attachment, "type")) {
    case "queued_command":
      return own(attachment, "prompt");
    case "hook_additional_context":
      return own(attachment, "content");
    case "nested_memory":
      return own(own(attachment, "content"), "content");
    case "file":
      return own(own(own(attachment, "content"), "file"), "content");
    case "edited_text_file":
      return own(attachment, "snippet");
    default:
      return undefined;
  }
}
