import { existsSync, readdirSync } from "node:fs";
import { corpusPath } from "../../corpus";

/** Files below a folder of the corpus whose name ends with `ending`, relative to the corpus; none where it is absent. */
export function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(corpusPath(folder))) return [];
  return readdirSync(corpusPath(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}
