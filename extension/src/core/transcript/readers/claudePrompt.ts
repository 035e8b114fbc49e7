/** Openings of user lines that the program wrote itself (local commands, notifications, interrupts). */
const NOT_A_PROMPT =
  /^\s*(?:<command-name>|<command-message>|<local-command-stdout>|<local-command-caveat>|Caveat:|<task-notification>|<bash-input>|<bash-stdout>|\[Request interrupted)/;

/** Where in a text an opening ends at most, UTF-16 units: so much of a long text is enough, whoever reads it. */
export const PROMPT_HEAD = 100;

/** False when the beginning of a user line's text, of which `PROMPT_HEAD` is enough, shows that Claude Code wrote it itself. */
export function isWrittenByPerson(text: string): boolean {
  return !NOT_A_PROMPT.test(text.slice(0, PROMPT_HEAD));
}
