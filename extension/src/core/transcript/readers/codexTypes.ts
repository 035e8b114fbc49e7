/** Records of a rollout that the model never sees (openai/codex codex-rs/history/src/lib.rs, RolloutItem). */
const SILENT_RECORDS = new Set([
  "ghost_snapshot",
  "world_state",
  "inter_agent_communication_metadata",
  "retained_context",
  "security_risk_score",
  "realtime_item",
]);

/**
 * Events that repeat items, or tell the program's windows what goes on (openai/codex codex-rs/protocol/src/protocol.rs,
 * EventMsg; which of them files hold is in codex-rs/rollout/src/policy.rs and has changed).
 */
const SILENT_EVENTS = new Set([
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "agent_reasoning_section_break",
  "task_complete",
  "turn_complete",
  "turn_aborted",
  "turn_diff",
  "turn_moderation_metadata",
  "patch_apply_begin",
  "patch_apply_updated",
  "patch_apply_end",
  "web_search_begin",
  "web_search_end",
  "image_generation_begin",
  "image_generation_end",
  "entered_review_mode",
  "exited_review_mode",
  "undo_started",
  "undo_completed",
  "item_started",
  "item_completed",
  "error",
  "warning",
  "stream_error",
  "background_event",
  "deprecation_notice",
  "guardian_assessment",
  "guardian_warning",
  "view_image_tool_call",
  "terminal_interaction",
  "dynamic_tool_call_request",
  "dynamic_tool_call_response",
  "sub_agent_activity",
  "thread_goal_updated",
  "thread_name_updated",
  "thread_settings_applied",
  "session_configured",
  "shutdown_complete",
  "plan_update",
  "plan_delta",
  "model_reroute",
  "model_verification",
  "safety_buffering",
  "request_permissions",
  "request_user_input",
  "elicitation_request",
  "raw_response_item",
  "hook_started",
  "hook_completed",
]);
const SILENT_FAMILIES = /^(?:exec|mcp|collab|realtime|apply_patch_approval)_/;

/** True for a record, by its type, that holds nothing of the conversation. */
export function isSilentCodexRecord(type: string): boolean {
  return SILENT_RECORDS.has(type);
}

/** True for an event, by its type, that says nothing which items do not say. */
export function isSilentCodexEvent(type: string): boolean {
  return SILENT_EVENTS.has(type) || SILENT_FAMILIES.test(type);
}
