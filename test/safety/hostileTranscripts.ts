import { SAMPLES } from "../unit/transcript/samples";
import { read } from "../unit/transcript/support";

/** Texts that do harm where text is taken for something else. Each tries to set `window.pwned`, or to be an element or a link. */
export const PAYLOADS: readonly string[] = [
  `<img class="evil" src=x onerror="window.pwned='img'"><script class="evil">window.pwned='script'</script>`,
  `" onmouseover="window.pwned='attribute'" class="evil" x='`,
  "' autofocus onfocus=window.pwned=1 class=evil><!--",
  `</style></title></textarea></pre><svg class="evil" onload="window.pwned='svg'"><style>*{display:none!important}`,
  `<iframe class="evil" srcdoc="<script>parent.pwned='frame'</script>"></iframe><base class="evil" href="//127.0.0.1:9/">`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to be taken for a place in a template, and is none
  "${window.pwned='lit'} {{constructor.constructor('window.pwned=1')()}} <!--?lit$123456789$--> $lit$ <%= 1 %>",
  "\u001b[31mred\u001b[2J\u001b]8;;command:workbench.action.quit\u0007link\u001b]8;;\u0007\u009b31m\r\b\b",
  "\u202egnp.exe\u202c \u2066\u2067isolated \u200f\u200e\u061cx \u202dabc",
  "zero\u200bwid\u200cth\u200d\u2060\ufeff\u00ad\u{e0041}\u{e007f}\u180e",
  "שלום (1) 12,345 עולם / سلام ] [ 9",
  "раураl.соm \u2215etc\u2215passwd …\u2024\u2024/",
  "[go](command:workbench.action.terminal.new) ![](http://127.0.0.1:9/x.png) <command:evil> $(zap) vscode://evil/x",
  "javascript:window.pwned=1 data:text/html,<script>1</script> //127.0.0.1:9/ http://127.0.0.1:9/y",
  "nul\u0000 \ud800 lone \udc00 \ufffe\uffff \u0007 \u2028\u2029",
  "`code` | table | *bold* _it_ ~~x~~ # head\n\n---\n> quote\n1. list\n```js\nfence",
  "__proto__",
  "constructor",
  "toString",
];

/** Marks above each other on one letter. */
export const TOWER = `Z${"\u0301".repeat(100_000)}`;
/** A text that nobody can look at. UTF-16 units. */
export const HUGE_UNITS = 10_000_000;

const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]/;

/** Every text in a JSON value goes through `change`, also in texts that are JSON themselves, as arguments of calls are. */
function mapValue(value: unknown, change: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") {
    if (/^[[{]/.test(value)) {
      try {
        return JSON.stringify(mapValue(JSON.parse(value), change));
      } catch {
        // It only looks like JSON.
      }
    }
    return change(value, key);
  }
  if (Array.isArray(value)) return value.map((one) => mapValue(one, change, key));
  if (typeof value !== "object" || value === null) return value;
  // `__proto__` is a key like any other in JSON.
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapValue(inner, change, name)]));
}

/** A transcript of which every text went through `change`, with the key that it stands under. */
export function mapTexts(content: string, change: (text: string, key: string) => string): string {
  const whole = parsed(content);
  if (whole !== undefined) return JSON.stringify(mapValue(whole, change));
  const lines = content.split("\n").filter((line) => line !== "");
  return lines.map((line) => `${JSON.stringify(mapValue(parsed(line), change))}\n`).join("");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What must stay as it was when a text is changed that says nothing about the format. */
async function shapeOf(content: string): Promise<string> {
  const { header, messages, calls, results } = await read(content);
  return JSON.stringify([
    header?.format,
    messages.map(({ role }) => role),
    calls.length,
    results.map(({ state, orphan }) => [state, orphan]),
  ]);
}

export interface HostileTranscript {
  readonly name: string;
  readonly content: string;
  /** How many different texts of the sample were replaced. */
  readonly changed: number;
}

/** A sample in which every text that does not tell the format, the kind of a record or a notice is hostile. Texts that were equal stay equal. */
export async function hostileTranscript(
  name: string,
  content: string,
  payloads: readonly string[] = PAYLOADS,
): Promise<HostileTranscript> {
  const texts = new Set<string>();
  mapTexts(content, (text) => {
    texts.add(text);
    return text;
  });
  const shape = await shapeOf(content);
  const hostile = new Map<string, string>();
  const changed = (): string => mapTexts(content, (text) => hostile.get(text) ?? text);
  let number = 0;
  for (const text of texts) {
    if (text === "" || ISO_TIME.test(text)) continue;
    const payload = payloads[number % payloads.length] ?? "";
    // Names of the prototype do harm only when they stand alone; each is used once, so that ids stay different.
    const alone = /^[_a-zA-Z]+$/.test(payload) && ![...hostile.values()].includes(payload);
    hostile.set(text, alone ? payload : `${payload} ${text.slice(0, 40)}`);
    if ((await shapeOf(changed())) === shape) number++;
    else {
      // What stands in front of a text often tells its kind; what stands behind it seldom does.
      hostile.set(text, `${text} ${payload}`);
      if ((await shapeOf(changed())) === shape) number++;
      else hostile.delete(text);
    }
  }
  return { name, content: changed(), changed: hostile.size };
}

/** Markup, controls, directions and what is invisible. */
const EVERYWHERE = PAYLOADS.filter((payload) => /^<img|\u001b|\u202e|^zero|^שלום/.test(payload));
/** Formats in which each of these gets to every place. */
const THOROUGH = /Claude Code session|Codex rollout|Hermes snapshot|Hermes gateway|OpenMausBot thread/;

/** The sample of every format, made hostile: with all payloads by turns, those of some formats with each payload everywhere too. */
export async function hostileSamples(): Promise<readonly HostileTranscript[]> {
  const all = SAMPLES.flatMap(([name, , content]) => {
    const each = THOROUGH.test(name) ? EVERYWHERE : [];
    return [
      hostileTranscript(name, content),
      ...each.map((payload) =>
        hostileTranscript(`${name}: ${JSON.stringify(payload.slice(0, 12))}`, content, [payload]),
      ),
    ];
  });
  return Promise.all(all);
}
