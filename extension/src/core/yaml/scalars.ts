import { pyFloat, pyInt } from "../model/pyNumber";
import type { PyValue } from "../model/pyValue";
import { decodeBase64 } from "./base64";
import type { RaiseKind } from "./raise";
import { parseTimestamp } from "./timestamp";

/** How the loaders make Python values from texts. Sources: constructor.py of PyYAML 6.0 and ruamel.yaml 0.17.21. */

export type ScalarMaker = "pyyaml" | "ruamel-1.1" | "ruamel-1.2";

export interface Refusal {
  readonly refused: true;
  readonly what: string;
  readonly kind: RaiseKind;
  /** Of the problem; undefined: `yaml-construct`. */
  readonly code: string | undefined;
}

export type Made = PyValue | Refusal;

export function isRefusal(made: Made): made is Refusal {
  return "refused" in made;
}

function refuse(what: string, kind: RaiseKind = "python", code?: string): Refusal {
  return { refused: true, what, kind, code };
}

/** The one NaN that every `.nan` becomes; two of them are the same key in Python. */
const DOT_NAN: PyValue = { t: "float", v: Number.NaN };
const TRUE: PyValue = { t: "bool", v: true };
const FALSE: PyValue = { t: "bool", v: false };

const BOOLS: ReadonlyMap<string, PyValue> = new Map([
  ["yes", TRUE],
  ["no", FALSE],
  ["true", TRUE],
  ["false", FALSE],
  ["on", TRUE],
  ["off", FALSE],
]);

/** A scalar with the tag `!!bool`. */
export function makeBool(text: string, maker: ScalarMaker): Made {
  const word = text.toLowerCase();
  const found = BOOLS.get(word);
  if (found !== undefined) return found;
  if (maker !== "pyyaml" && word === "y") return TRUE;
  if (maker !== "pyyaml" && word === "n") return FALSE;
  return refuse("This is no boolean. Write true or false, or remove the !!bool tag.");
}

interface Signed {
  readonly negative: boolean;
  readonly rest: string;
}

function splitSign(text: string): Signed | undefined {
  if (text === "") return undefined;
  const sign = text.charAt(0);
  return { negative: sign === "-", rest: sign === "-" || sign === "+" ? text.slice(1) : text };
}

const NO_INT = "This is no whole number for the agent. Write plain digits, or remove the !!int tag.";

/** A scalar with the tag `!!int`, in the notations that the loader knows. */
export function makeInt(text: string, maker: ScalarMaker): Made {
  const signed = splitSign(text.replaceAll("_", ""));
  if (signed === undefined) return refuse(NO_INT);
  if (signed.rest.length > MAX_DIGITS && !/^[1-9]\d*$/.test(signed.rest))
    return refuse(
      `A number of more than ${MAX_DIGITS.toLocaleString("en")} digits is not looked at here. Write a shorter one.`,
      "python",
      "yaml-limit",
    );
  const magnitude = intMagnitude(signed.rest, maker);
  if (magnitude === undefined) {
    if (signed.rest.length > 4300)
      return refuse("Python refuses whole numbers of more than 4,300 digits. Write a shorter one.");
    return refuse(NO_INT);
  }
  return { t: "int", v: signed.negative ? -magnitude : magnitude };
}

/** Digits of a number that is not decimal, beyond which it is not looked at: reckoning with it takes quadratic time. Python has no limit here. */
const MAX_DIGITS = 20_000;

function intMagnitude(rest: string, maker: ScalarMaker): bigint | undefined {
  if (rest === "0") return 0n;
  if (rest.startsWith("0b")) return pyInt(rest.slice(2), 2);
  if (rest.startsWith("0x")) return pyInt(rest.slice(2), 16);
  if (maker !== "pyyaml" && rest.startsWith("0o")) return pyInt(rest.slice(2), 8);
  if (maker !== "ruamel-1.2") {
    // An empty text has no first character to look at; Python raises IndexError.
    if (rest === "") return undefined;
    if (rest.startsWith("0")) return pyInt(rest, 8);
    if (rest.includes(":")) return sexagesimalInt(rest);
  }
  return pyInt(rest, 10);
}

function sexagesimalInt(text: string): bigint | undefined {
  let total = 0n;
  for (const part of text.split(":")) {
    const digit = pyInt(part, 10);
    if (digit === undefined) return undefined;
    total = total * 60n + digit;
  }
  return total;
}

const NO_FLOAT = "This is no number for the agent. Write one such as 1.5, or remove the !!float tag.";
/** hermes_yaml.py @7bcdadfd: looks like a session id and stays text (#124901). */
const SESSION_ID_LIKE = /^[-+]?[0-9][0-9_]*[eE][0-9]+\n?$/;

/** A scalar with the tag `!!float`. */
export function makeFloat(text: string, maker: ScalarMaker): Made {
  const signed = splitSign(text.replaceAll("_", "").toLowerCase());
  if (signed === undefined) return refuse(NO_FLOAT);
  const { rest, negative } = signed;
  if (rest === ".nan") return DOT_NAN;
  let magnitude: number | undefined;
  if (rest === ".inf") magnitude = Number.POSITIVE_INFINITY;
  else if (maker !== "ruamel-1.2" && rest.includes(":")) magnitude = sexagesimalFloat(rest);
  // ruamel splits at "e" to look at the mantissa and fails when there are several.
  else if (maker === "ruamel-1.1" && rest.split("e").length > 2) magnitude = undefined;
  else magnitude = pyFloat(rest);
  return magnitude === undefined ? refuse(NO_FLOAT) : { t: "float", v: negative ? -magnitude : magnitude };
}

/** True where Hermes' newer loader hands a float back as the text it was written as. */
export function staysText(text: string, maker: ScalarMaker): boolean {
  return maker !== "pyyaml" && SESSION_ID_LIKE.test(text);
}

function sexagesimalFloat(text: string): number | undefined {
  let total = 0;
  let base = 1n;
  for (const part of text.split(":").reverse()) {
    const digit = pyFloat(part);
    const weight = Number(base);
    // Python raises OverflowError when the weight no longer fits a float.
    if (digit === undefined || !Number.isFinite(weight)) return undefined;
    total += digit * weight;
    base *= 60n;
  }
  return total;
}

/** A scalar with the tag `!!binary`. */
export function makeBinary(text: string): Made {
  if (/[^\0-\x7f]/.test(text))
    return refuse("!!binary text must be ASCII. Remove the tag or the other characters.", "yaml");
  const bytes = decodeBase64(text);
  if (bytes === undefined) return refuse("This is not valid base64. Correct it, or remove the !!binary tag.", "yaml");
  return { t: "bytes", v: bytes };
}

/** A scalar with the tag `!!timestamp`: a date, or a moment. */
export function makeTimestamp(text: string, maker: ScalarMaker): Made {
  const result = parseTimestamp(text, maker === "pyyaml" ? "pyyaml" : "ruamel");
  if (result.ok) return result.value;
  const what = `${result.what} Correct the date, or put it in quotes to keep it as text.`;
  return refuse(what, result.why === "shape" && maker !== "pyyaml" ? "yaml" : "python");
}
