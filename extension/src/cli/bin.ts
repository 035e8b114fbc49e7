#!/usr/bin/env node
import { tellUncaught } from "../node/lastWords";
import { earlyHelper } from "./earlyHelper";

tellUncaught({ write: (text) => process.stderr.write(text) });
const argv = process.argv.slice(2);
// First of all, so that the thread starts while the program is loaded.
const helper = earlyHelper(argv);
void import("./program").then(({ program }) => program(argv, helper));
