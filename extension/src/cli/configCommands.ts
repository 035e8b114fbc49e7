/** The commands that read configurations: with YAML, the simulator and its reports half of the program, which `inspect` does not load. */
export { runAb } from "./ab";
export { runCheck } from "./check";
export { runSimulate } from "./simulate";
