/** Openings of user lines that the program wrote itself (local commands, notifications, interrupts). */
const NOT_A_PROMPT =
  /^\s*(?:<command-name>|<command-message>|<local-command-stdout>|<local-command-caveat>|Caveat:|<task-notification>|<bash-input>|<bash-stdout>|\[Request interrupted)/;

/** False when the beginning of a user line's text shows that Claude Code wrote it itself. */
export function isWrittenByPerson(head: string): boolean {
  return !NOT_A_PROMPT.test(head);
}
