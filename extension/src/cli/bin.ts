#!/usr/bin/env node
import { tellUncaught } from "../node/lastWords";
import { tellLoaded } from "../node/openFile";
import { run } from "./main";
import { processIo } from "./processIo";

tellUncaught(process.stderr);
tellLoaded();
run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
