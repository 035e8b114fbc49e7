import type { PyValue } from "../../../extension/src/core/model/pyValue";
import type { PythonJson } from "../../../extension/src/core/util/pythonJson";
import { get, isTrue, list, string } from "./oracle";

/** A recorded tagged value. */
export function untagPy(tagged: PythonJson | undefined): PyValue {
  const type = string(get(tagged, "t"));
  const value = get(tagged, "v");
  switch (type) {
    case "NoneType":
      return { t: "NoneType" };
    case "bool":
      return { t: "bool", v: isTrue(value) };
    case "int":
      return { t: "int", v: BigInt(string(value)) };
    case "float": {
      const text = string(value);
      const word = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, "-inf": Number.NEGATIVE_INFINITY }[text];
      return { t: "float", v: word ?? Number(text) };
    }
    case "str":
      return { t: "str", v: string(value) };
    case "list":
    case "tuple":
      return { t: type, v: list(value).map(untagPy) };
    case "dict":
      return { t: "dict", v: list(value).map((pair) => [untagPy(list(pair)[0]), untagPy(list(pair)[1])] as const) };
    default:
      return { t: "other", type, repr: value?.kind === "string" ? value.text : type };
  }
}
