import type { PackedTargets } from "../../model/openTable";
import type { SearchTarget } from "../../model/search";
import type { BodyRef } from "../../model/transcript";
import type { TranscriptTable } from "./transcriptTable";

/** The texts of all results that have one. */
export function packedTargets(table: TranscriptTable): PackedTargets {
  const { results } = table;
  const indexes = new Int32Array(results.rows);
  const places = new Float64Array(results.rows * 3);
  const pathOf = new Int32Array(results.rows);
  const paths: BodyRef["path"][] = [];
  const pathNumbers = new Map<number, number>();
  const rows: (BodyRef["place"]["row"] | undefined)[] = [];
  let count = 0;
  for (let row = 0; row < results.rows; row++) {
    const place = results.bodyPlace(row);
    if (place === undefined) continue;
    const path = results.columns.bodyPath.at(row);
    let number = pathNumbers.get(path);
    if (number === undefined) {
      number = paths.push(results.paths.get(path)) - 1;
      pathNumbers.set(path, number);
    }
    indexes[count] = row;
    places.set([place.line, place.start, place.end], count * 3);
    pathOf[count] = number;
    if (place.row !== undefined) rows[count] = place.row;
    count++;
  }
  return {
    indexes: indexes.slice(0, count),
    places: places.slice(0, count * 3),
    pathOf: pathOf.slice(0, count),
    paths,
    rows,
  };
}

/** One after the other, as they are needed. */
export function* targetsOf({ indexes, places, pathOf, paths, rows }: PackedTargets): Generator<SearchTarget> {
  for (let at = 0; at < indexes.length; at++) {
    const [line = 0, start = 0, end = 0] = places.subarray(at * 3, at * 3 + 3);
    const row = rows[at];
    const place = row === undefined ? { line, start, end } : { line, start, end, row };
    yield { index: indexes[at] ?? 0, ref: { place, path: paths[pathOf[at] ?? 0] ?? [] } };
  }
}
