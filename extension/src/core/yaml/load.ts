/*
 * Why a scanner and parser of our own, although the `yaml` package is a dependency: the agent's verdict is libyaml's, and
 * the package's grammar is another one. Measured with yaml 2.9.1 (version 1.1): of 3,991 documents mutated from the
 * recorded ones it disagrees with libyaml on 185 about error or no error (158 that libyaml rejects, 27 that it accepts)
 * and on 37 more about the text of a scalar; on the recorded oracles the syntax alone accounts for some 50 disagreements. They come
 * from everywhere (tabs, `"x"#c`, keys over several lines, the 1,024-character limit of keys, `:` and `?` in brackets, duplicate anchors,
 * directives, byte order marks), so that no handful of checks could mend them. Newer Hermes moreover asks two more
 * parsers (libyaml 0.1.7, then ruamel's own), which differ again. The package still writes scalars, see write.ts.
 */

import type { LoaderId } from "../model/loader";
import type { Problem } from "../model/problem";
import type { PyValue } from "../model/pyValue";
import { PY_NONE } from "../model/pyValue";
import { shortText } from "../util/shortTexts";
import { findUnprintable } from "./chars";
import { Composer, MAX_DEPTH } from "./compose";
import { Constructor } from "./construct";
import type { Dialect } from "./dialect";
import { measureExpansion } from "./expansion";
import { YamlRaise } from "./raise";
import type { ScalarMaker } from "./scalars";
import type { YamlLoad, YamlNode, YamlPair } from "./types";

/** Longest text that is read, in UTF-16 units. Real configs have some 100,000. */
const MAX_TEXT = 20_000_000;
/** Longest message, UTF-16 units: some name what stands in the file. */
const MAX_WHAT = 500;

/**
 * Values that a file may expand to. The loaders share what an alias names, but Hermes' walk over all texts (for `${…}`)
 * does not, so that nested aliases stop the agent although its loader takes them.
 */
const MAX_WALKED = 10_000_000;

interface Attempt {
  readonly root: YamlNode | undefined;
  readonly value: PyValue | undefined;
  readonly raised: YamlRaise | undefined;
  readonly recursive: boolean;
  readonly values: ReadonlyMap<YamlNode, PyValue>;
  readonly effective: ReadonlyMap<YamlNode, readonly YamlPair[]>;
}

const NOTHING = { recursive: false, values: new Map(), effective: new Map() } satisfies Partial<Attempt>;

/**
 * Reads a config text as the agent's loader reads the file: opened as UTF-8 with an optional byte order mark and
 * universal newlines, one document, safe tags. `pyyaml` is PyYAML 6 with libyaml 0.2.5 (CSafeLoader); `ruamel` is
 * hermes_yaml.py @7bcdadfd: ruamel.yaml 0.17.21, version 1.1, the C parser first and the pure one when it fails.
 * Never throws on any text. Offsets are UTF-16 units of `text` as given.
 */
export function loadYaml(text: string, loader: LoaderId): YamlLoad {
  const refused = refuseText(text);
  if (refused !== undefined)
    return toLoad(text, loader, { root: undefined, value: undefined, raised: refused, ...NOTHING });
  const first = attempt(text, loader === "pyyaml" ? "libyaml-0.2.5" : "libyaml-0.1.7");
  const again = loader === "ruamel" && first.raised !== undefined && first.raised.kind === "yaml";
  return toLoad(text, loader, again ? attempt(text, "ruamel-pure") : first);
}

function refuseText(text: string): YamlRaise | undefined {
  if (text.length > MAX_TEXT)
    return new YamlRaise(
      "yaml-limit",
      `This file is longer than ${MAX_TEXT.toLocaleString("en")} characters. It is not read.`,
      { start: 0, end: 0 },
    );
  const bad = findUnprintable(text);
  if (bad < 0) return undefined;
  const code = text.charCodeAt(bad).toString(16).toUpperCase().padStart(4, "0");
  return new YamlRaise("yaml-character", `The character U+${code} is not allowed in YAML. Delete it.`, {
    start: bad,
    end: bad + 1,
  });
}

/** Where the stream begins: opening the file drops one byte order mark, and the C parsers drop another. */
function streamStart(text: string, dialect: Dialect): number {
  let start = 0;
  const most = dialect === "ruamel-pure" ? 1 : 2;
  while (start < most && text.charCodeAt(start) === 0xfeff) start++;
  return start;
}

function attempt(text: string, dialect: Dialect): Attempt {
  let root: YamlNode | undefined;
  let builder: Constructor | undefined;
  try {
    const composer = new Composer(text, streamStart(text, dialect), dialect);
    const composed = composer.document();
    root = composed;
    if (composed === undefined) return { root, value: PY_NONE, raised: undefined, ...NOTHING };
    builder = new Constructor(makerFor(dialect, composer));
    const value = builder.document(composed);
    const recursive = checkExpansion(text, value, composed);
    return { root, value, raised: undefined, recursive, ...builder.found() };
  } catch (error) {
    if (!(error instanceof YamlRaise)) throw error;
    return { ...NOTHING, root, value: undefined, raised: error, ...builder?.found() };
  }
}

/** True when the value contains itself. Raises when its aliases would keep the agent busy for ever. */
function checkExpansion(text: string, value: PyValue, root: YamlNode): boolean {
  if (!text.includes("*")) return false;
  const { recursive, walked, depth } = measureExpansion(value);
  if (!recursive && depth > MAX_DEPTH)
    throw new YamlRaise(
      "yaml-limit",
      `The aliases of this file nest deeper than ${MAX_DEPTH.toLocaleString("en")} levels. Use fewer aliases inside one another.`,
      { start: root.start, end: root.start },
      "python",
    );
  if (!recursive && walked > MAX_WALKED)
    throw new YamlRaise(
      "yaml-limit",
      `The aliases of this file expand to more than ${MAX_WALKED.toLocaleString("en")} values, and the agent walks through each. Use fewer aliases inside one another.`,
      { start: root.start, end: root.start },
      "python",
    );
  return recursive;
}

function makerFor(dialect: Dialect, composer: Composer): ScalarMaker {
  if (dialect === "libyaml-0.2.5") return "pyyaml";
  return composer.rules() === "ruamel-1.1" ? "ruamel-1.1" : "ruamel-1.2";
}

function toLoad(text: string, loader: LoaderId, made: Attempt): YamlLoad {
  return {
    loader,
    root: made.root,
    value: made.value,
    failure: made.raised === undefined ? undefined : toProblem(text, made.raised),
    values: made.values,
    effective: made.effective,
    recursive: made.recursive,
  };
}

function toProblem(text: string, raised: YamlRaise): Problem {
  const start = Math.min(raised.range.start, text.length);
  let end = Math.min(Math.max(raised.range.end, start), text.length);
  if (end === start && end < text.length && !"\r\n".includes(text.charAt(end))) end++;
  return {
    code: raised.code,
    severity: "error",
    message: `Line ${lineOf(text, start)}: ${shortText(raised.what, MAX_WHAT)}`,
    range: { start, end },
  };
}

/** 1-based line of an offset as editors count lines: LF, CR LF, CR. */
function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) line++;
  }
  return line;
}
