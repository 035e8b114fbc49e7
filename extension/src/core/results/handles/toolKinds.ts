/**
 * What tools do with a path or an id that they are given, by the last part of their name (`mcp__agents__tool_result_read`).
 * Sources: hermes.md 3.1, 3.2, 4.2; transcripts.md 2, 7, 8, 11, 12; and the calls of the recorded transcripts.
 */
export type ToolKind =
  /** Takes an id of OpenMausBot's store or of openhuman's memory. */
  | "byId"
  /** Gives what is in a file whose path it takes. */
  | "reader"
  /** Runs a command line. */
  | "command"
  /** Runs code. */
  | "code"
  /** Changes files, plans, searches elsewhere: whatever text it is given, it does not read a file. */
  | "other"
  /** Nobody knows. */
  | "unlisted";

const KINDS: Readonly<Record<string, ToolKind>> = {
  tool_result_read: "byId",
  extract_from_result: "byId",
  read: "reader",
  read_file: "reader",
  readfile: "reader",
  read_many_files: "reader",
  view: "reader",
  grep: "reader",
  grep_search: "reader",
  search_files: "reader",
  search_file_content: "reader",
  bash: "command",
  terminal: "command",
  shell: "command",
  exec_command: "command",
  local_shell: "command",
  shell_command: "command",
  exec: "command",
  run_shell_command: "command",
  run_in_terminal: "command",
  execute_bash: "command",
  execute_code: "code",
  write: "other",
  write_file: "other",
  writefile: "other",
  edit: "other",
  multiedit: "other",
  notebookedit: "other",
  patch: "other",
  apply_patch: "other",
  replace: "other",
  str_replace: "other",
  todowrite: "other",
  todo: "other",
  update_plan: "other",
  update_topic: "other",
  think: "other",
  taskcreate: "other",
  taskupdate: "other",
  exitplanmode: "other",
  websearch: "other",
  web_search: "other",
  google_web_search: "other",
  askuserquestion: "other",
  clarify: "other",
};

/** Name of a tool without the server that it comes from. */
function plainToolName(tool: string): string {
  return tool.replace(/^.*(?:__|[./:])/, "").toLowerCase();
}

/** What a tool of that name does with files; `unlisted` where its name is not known, or there is none. */
export function toolKind(tool: string | undefined): ToolKind {
  if (tool === undefined) return "unlisted";
  const name = plainToolName(tool);
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? "unlisted") : "unlisted";
}
