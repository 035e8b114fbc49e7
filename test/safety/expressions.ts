import { parseSync } from "vite";
import { sourceFiles } from "../sourceTree";

export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** `path:line` of every place that writes it. */
  readonly places: readonly string[];
}

export interface FoundExpressions {
  readonly literals: readonly Expression[];
  /** Files that make expressions from texts. */
  readonly makers: readonly string[];
}

/** Every regular expression that the sources write as a literal, and the files that make others. Told by a parser, not by its look. */
export function expressionsIn(folders: readonly string[]): FoundExpressions {
  const literals = new Map<string, { source: string; flags: string; places: string[] }>();
  const makers = new Set<string>();
  for (const { path, text } of folders.flatMap((folder) => sourceFiles(folder))) {
    const { program, errors } = parseSync(path, text, { lang: "ts" });
    if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
    walk(program, (node) => {
      const { regex, start } = node;
      if (node["type"] === "Literal" && isFields(regex)) {
        const source = String(regex["pattern"]);
        const flags = String(regex["flags"]);
        const place = `${path}:${text.slice(0, Number(start)).split("\n").length}`;
        const known = literals.get(`/${source}/${flags}`);
        if (known === undefined) literals.set(`/${source}/${flags}`, { source, flags, places: [place] });
        else known.places.push(place);
      }
      const { type, callee } = node;
      if ((type === "NewExpression" || type === "CallExpression") && isFields(callee) && callee["name"] === "RegExp") {
        makers.add(path);
      }
    });
  }
  return { literals: [...literals.values()], makers: [...makers].sort() };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function walk(value: unknown, visit: (node: Fields) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, visit);
  } else if (isFields(value)) {
    visit(value);
    for (const [key, inner] of Object.entries(value)) if (key !== "regex") walk(inner, visit);
  }
}

/** What `new RegExp` makes while something runs. */
export async function recorded(run: () => Promise<unknown>): Promise<readonly Expression[]> {
  const made: Expression[] = [];
  const real = globalThis.RegExp;
  const recording = new Proxy(real, {
    construct(target, [source, flags = ""]: [string | RegExp, string?]) {
      made.push({ source: String(source instanceof real ? source.source : source), flags, places: ["made"] });
      return new target(source, flags);
    },
  });
  globalThis.RegExp = recording;
  try {
    await run();
  } finally {
    globalThis.RegExp = real;
  }
  return made;
}

/** `path call` of every call that spreads a list into the arguments of a method that takes any number of them. */
export function spreadsIn(folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const { path, text } of folders.flatMap((folder) => sourceFiles(folder))) {
    walk(parseSync(path, text, { lang: "ts" }).program, (node) => {
      const { type, callee, start, end } = node;
      if (type !== "CallExpression" || !Array.isArray(node["arguments"]) || !isFields(callee)) return;
      const name = isFields(callee["property"]) ? callee["property"]["name"] : undefined;
      if (!/^(?:push|unshift|max|min|fromCharCode|fromCodePoint|concat|splice)$/.test(String(name))) return;
      const spread = node["arguments"].some((one) => isFields(one) && one["type"] === "SpreadElement");
      if (spread) found.push(`${path} ${text.slice(Number(start), Number(end)).replace(/\s+/g, " ")}`);
    });
  }
  return found;
}
