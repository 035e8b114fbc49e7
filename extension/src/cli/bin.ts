#!/usr/bin/env node
import { tellUncaught } from "../node/lastWords";
import { run } from "./main";
import { processIo } from "./processIo";

tellUncaught(process.stderr);
run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
