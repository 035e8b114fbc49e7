/** Record types of Claude Code that carry no message of the conversation. `agent_progress` holds copies of what the agent's own file says. */
const SILENT_TYPES = new Set([
  "progress",
  "summary",
  "file-history-snapshot",
  "file-history-delta",
  "queue-operation",
  "pr-link",
  "custom-title",
  "ai-title",
  "agent-name",
  "agent-color",
  "last-prompt",
  "permission-mode",
  "tag",
  "mode",
  "worktree-state",
  "agent-setting",
  "atis-latch",
  "attribution-snapshot",
  "bridge-session",
  "continued-in",
  "cost-state",
  "dev-mods",
  "fork-context-ref",
  "frame-link",
  "relocated",
]);

/** Types of records that hold nothing of the conversation, by design. */
export function isSilent(type: string): boolean {
  return SILENT_TYPES.has(type) || type.startsWith("marble-origami-");
}
