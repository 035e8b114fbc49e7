import type { PythonJson } from "../../extension/src/core/util/pythonJson";

export interface DumpOptions {
  /** `separators=(",", ":")` instead of Python's default with spaces. */
  readonly compact?: boolean;
  readonly sortKeys?: boolean;
}

/** `json.dumps(value, ensure_ascii=False)` on one line, with the options that the product has no use for. */
export function pythonDumps(value: PythonJson, { compact = false, sortKeys = false }: DumpOptions = {}): string {
  const [comma, colon] = compact ? [",", ":"] : [", ", ": "];
  const dump = (node: PythonJson): string => {
    switch (node.kind) {
      case "literal":
        return node.text;
      case "string":
        return quoted(node.text);
      case "array":
        return `[${node.items.map(dump).join(comma)}]`;
      case "object": {
        const members = [...node.members];
        if (sortKeys) members.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
        return `{${members.map(([key, member]) => quoted(key) + colon + dump(member)).join(comma)}}`;
      }
    }
  };
  return dump(value);
}

/** A lone surrogate stays as it is, unlike in `JSON.stringify`. */
function quoted(text: string): string {
  return `"${text.replace(/[\u0000-\u001f"\\]/g, (character) => JSON.stringify(character).slice(1, -1))}"`;
}
