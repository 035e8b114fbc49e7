#!/usr/bin/env node
import { run } from "./main";
import { processIo } from "./processIo";

run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
