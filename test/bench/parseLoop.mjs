/**
 * The yardstick: read a file in pieces, cut it into lines, decode and JSON.parse each. Nothing is kept.
 * Usage: node parseLoop.mjs FILE; the last line of the output is a JSON list with the milliseconds that it took.
 */
import { closeSync, openSync, readSync } from "node:fs";

const [, , path] = process.argv;
if (path === undefined) throw new Error("usage: node parseLoop.mjs FILE");
let lines = 0;
let broken = 0;

/** @param {Buffer} line */
function take(line) {
  if (line.length === 0) return;
  lines += 1;
  try {
    JSON.parse(line.toString("utf8"));
  } catch {
    broken += 1; // counted and printed below
  }
}

/** @param {string} path */
function read(path) {
  const file = openSync(path, "r");
  const piece = Buffer.allocUnsafe(1 << 20);
  let rest = Buffer.alloc(0);
  for (let got = readSync(file, piece); got > 0; got = readSync(file, piece)) {
    let from = 0;
    for (let at = piece.indexOf(10); at >= 0 && at < got; at = piece.indexOf(10, from)) {
      const line = piece.subarray(from, at);
      take(rest.length > 0 ? Buffer.concat([rest, line]) : line);
      rest = Buffer.alloc(0);
      from = at + 1;
    }
    rest = Buffer.concat([rest, piece.subarray(from, got)]);
  }
  take(rest);
  closeSync(file);
}

const began = performance.now();
read(path);
const ms = performance.now() - began;
process.stdout.write(`${lines} lines, ${broken} broken\n[${ms}]\n`);
