/**
 * Record types of Claude Code that carry no message of the conversation, as its releases up to 2.1.283 write them.
 * `agent_progress` holds copies of what the agent's own file says.
 */
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
  "speculation-accept",
  "task-summary",
  "ended-by-model",
  "isolation-latch",
  "history-suppression",
  "observer-ref",
  "artifact-comment-monitor",
  "artifact-autoreact-ledger",
  "marble-origami-snapshot",
  "marble-origami-reset",
]);

/** Types of records that hold nothing of the conversation, by design. */
export function isSilent(type: string): boolean {
  return SILENT_TYPES.has(type);
}
