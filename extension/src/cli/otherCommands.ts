/** What `inspect` does not load to tell of results: with YAML, the simulator, its reports and the search for handles half of the program. */
export { runAb } from "./ab";
export { runCheck } from "./check";
export { runHandles } from "./handles";
export { runSimulate } from "./simulate";
