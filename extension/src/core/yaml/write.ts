import { stringify } from "yaml";
import type { LoaderId } from "../model/loader";
import { floatRepr, pyEquals } from "../model/pyRepr";
import type { PyValue } from "../model/pyValue";
import { loadYaml } from "./load";

const LOADERS: readonly LoaderId[] = ["pyyaml", "ruamel"];

/**
 * One line of YAML that both loaders read as exactly this value, in a block mapping and inside brackets alike; undefined
 * for values that no single line can hold (containers, dates, bytes) or that the loaders read differently.
 */
export function scalarText(value: PyValue): string | undefined {
  return candidates(value).find((text) => LOADERS.every((loader) => readsAs(text, value, loader)));
}

function candidates(value: PyValue): readonly string[] {
  switch (value.t) {
    case "NoneType":
      return ["null"];
    case "bool":
      return [value.v ? "true" : "false"];
    case "int":
      return [value.v.toString()];
    case "float":
      return [floatText(value.v)];
    case "str":
      return [
        plainText(value.v),
        `'${value.v.replaceAll("'", "''")}'`,
        escaped(stringify(value.v, { defaultStringType: "QUOTE_DOUBLE", version: "1.1", lineWidth: 0 }).trimEnd()),
      ];
    default:
      return [];
  }
}

/** Characters that JSON may hold as they are, but that YAML 1.1 takes for line ends or refuses to read. */
function escaped(quoted: string): string {
  return quoted.replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The package's own choice of style, which knows most texts that need quotes. */
function plainText(text: string): string {
  return stringify(text, { version: "1.1", lineWidth: 0, singleQuote: true, blockQuote: false }).trimEnd();
}

/** YAML 1.1 needs a dot in the mantissa, or Hermes keeps the text. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value < 0 ? "-.inf" : ".inf";
  return floatRepr(value).replace(/^(-?\d+)e/, "$1.0e");
}

function readsAs(text: string, value: PyValue, loader: LoaderId): boolean {
  if (/[\r\n\x85\u2028\u2029]/.test(text)) return false;
  const block = loadYaml(`k: ${text} # c\n`, loader).value;
  const flow = loadYaml(`{k: [${text}]}\n`, loader).value;
  const found = block?.t === "dict" ? block.v[0]?.[1] : undefined;
  const list = flow?.t === "dict" ? flow.v[0]?.[1] : undefined;
  const inside = list?.t === "list" && list.v.length === 1 ? list.v[0] : undefined;
  return found !== undefined && inside !== undefined && same(found, value) && same(inside, value);
}

/** Stricter than Python's equality: the type counts, NaN is NaN, and the zeros differ. */
function same(a: PyValue, b: PyValue): boolean {
  if (a.t === "float" && b.t === "float") return Object.is(a.v, b.v);
  return a.t === b.t && pyEquals(a, b);
}
