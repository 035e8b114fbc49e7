/** A long, fully commented agent config, made from a seed: the shape of a shipped template, none of its words. */

/** Length of the text in UTF-16 units (all ASCII, so also characters and bytes). */
export const CONFIG_CHARS = 126_000;

const NOUNS = [
  "gauge",
  "ferry",
  "beacon",
  "ledger",
  "channel",
  "quay",
  "signal",
  "archive",
  "lantern",
  "harbour",
  "relay",
  "almanac",
];
const VERBS = ["keeps", "limits", "delays", "retries", "forwards", "rounds", "masks", "warms", "drains", "samples"];
const WHYS = [
  "Raise it when answers come in bursts.",
  "Leave it alone unless the log says otherwise.",
  "Zero turns it off; a negative number is ignored.",
  "Counted per conversation, not per call.",
  "Older versions read this as a text.",
];

/** mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const KEY = `tools:
  # Characters from which a result leaves the conversation.
  tool_result_persist_threshold_chars: 20000
`;

/** The whole text; the persist threshold stands in its middle. */
export function configText(seed = 41): string {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const value = (): string =>
    pick([
      "true",
      "false",
      `${Math.floor(random() * 90_000)}`,
      `${(random() * 3).toFixed(2)}`,
      "''",
      `"${pick(NOUNS)}-${pick(NOUNS)}"`,
      "null",
      "~",
      `[${pick(NOUNS)}, ${pick(NOUNS)}]`,
      pick(NOUNS),
    ]);
  const comment = (indent: string): string =>
    `${indent}# The ${pick(NOUNS)} ${pick(VERBS)} every ${pick(NOUNS)} of the ${pick(NOUNS)}. ${pick(WHYS)}\n`;
  const sections: string[] = ["model:\n  default: lighthouse/keeper-2\n  context_length: 200000\n"];
  let length = (sections[0] as string).length;
  let placed = false;
  for (let number = 0; length < CONFIG_CHARS - 2_400; number += 1) {
    let section = "";
    if (!placed && length > CONFIG_CHARS / 2) {
      section = KEY;
      placed = true;
    } else {
      section += `\n# ${"=".repeat(76)}\n${comment("")}${comment("")}${pick(NOUNS)}_${number}:\n`;
      for (let row = 0; row < 8; row += 1) {
        section += comment("  ");
        if (row === 4) {
          section += `  ${pick(NOUNS)}_group_${row}:\n`;
          for (let inner = 0; inner < 4; inner += 1)
            section += `${comment("    ")}    ${pick(NOUNS)}_${inner}: ${value()}\n`;
        } else if (row === 6) {
          section += `  ${pick(NOUNS)}_list_${row}:\n    - name: ${pick(NOUNS)}\n      weight: ${value()}\n    - name: ${pick(NOUNS)}\n`;
        } else section += `  ${pick(NOUNS)}_${row}: ${value()}\n`;
        if (row % 3 === 0) section += `  # ${pick(NOUNS)}_${row}_extra: ${value()}\n`;
      }
    }
    sections.push(section);
    length += section.length;
  }
  const text = sections.join("");
  const rest = CONFIG_CHARS - text.length;
  // One closing comment brings the text to its exact length.
  const closing: string[] = [];
  for (let left = rest; left > 0; ) {
    const line = Math.min(left, 120);
    closing.push(line === 1 ? "\n" : `#${"-".repeat(line - 2)}\n`);
    left -= line;
  }
  return text + closing.join("");
}

/** One keystroke: at `offset`, `removed` units give way to `inserted`. */
export interface Keystroke {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: string;
}

/** Typing as people do it: digits in the threshold and corrections of them, words in comments, changed values. */
export function keystrokes(text: string, count: number, seed = 17): readonly Keystroke[] {
  const random = seeded(seed);
  const edits: Keystroke[] = [];
  let current = text;
  const push = (edit: Keystroke): void => {
    edits.push(edit);
    current = current.slice(0, edit.offset) + edit.inserted + current.slice(edit.offset + edit.removed);
  };
  const endOfValue = (): number => current.indexOf("\n", current.indexOf("tool_result_persist_threshold_chars:"));
  while (edits.length < count) {
    if (random() < 0.5) {
      for (const character of ["0", "e", "4"]) push({ offset: endOfValue(), removed: 0, inserted: character });
      for (let back = 0; back < 3; back += 1) push({ offset: endOfValue() - 1, removed: 1, inserted: "" });
    } else {
      const comment = current.indexOf("# The ", Math.floor(random() * (current.length - 4_000)));
      const at = current.indexOf("\n", comment);
      for (const character of " ok") push({ offset: at, removed: 0, inserted: character });
      push({ offset: at, removed: 3, inserted: "" });
    }
  }
  return edits.slice(0, count);
}
