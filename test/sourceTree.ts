import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { repoPath } from "./corpus";

/** One import, export-from, import() or require() of a source file. */
export interface Import {
  /** As written. */
  readonly specifier: string;
  /** Path from the repository root without extension, for relative specifiers. */
  readonly target: string | undefined;
  /** Package name or `node:…`, for the others. */
  readonly package: string | undefined;
  /** What stands between the keyword and `from`; empty for side-effect and dynamic imports. */
  readonly clause: string;
}

export interface SourceFile {
  /** Path from the repository root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}

const SKIPPED = new Set(["node_modules", "dist", "fixtures", ".vscode-test"]);

/** All TypeScript and module-JavaScript files below a folder of the repository. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  const files: SourceFile[] = [];
  for (const entry of readdirSync(repoPath(folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) files.push(...sourceFiles(path));
    } else if (/\.(ts|mjs)$/.test(entry.name)) {
      const text = readFileSync(repoPath(path), "utf8");
      files.push({ path, text, lines: text.split("\n").length - 1, imports: importsOf(path, text) });
    }
  }
  return files;
}

/** Sources are formatted by one tool, so a statement starts its line and ends with the quoted name. */
const STATEMENT = /^(?:import|export)\s+(?:((?:type\s+)?[\w$*{][^;"']*?)\s+from\s+)?["']([^"']+)["']/gm;
const CALL = /\b(?:import|require)\(\s*["']([^"']+)["']\s*\)/g;

export function importsOf(path: string, text: string): readonly Import[] {
  const code = withoutComments(text);
  const found = [
    ...[...code.matchAll(STATEMENT)].map((match) => ({ specifier: match[2] ?? "", clause: match[1] ?? "" })),
    ...[...code.matchAll(CALL)].map((match) => ({ specifier: match[1] ?? "", clause: "" })),
  ];
  return found.map(({ specifier, clause }) => {
    const relative = specifier.startsWith(".");
    return {
      specifier,
      clause,
      target: relative ? normalize(join(dirname(path), specifier)).replaceAll("\\", "/") : undefined,
      package: relative ? undefined : packageOf(specifier),
    };
  });
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Blanks comments; strings are kept, also those that contain `//`. Good enough for formatted code, not a parser. */
export function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, literal) => literal ?? "",
  );
}
