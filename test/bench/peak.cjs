// Preloaded into measured processes: writes their highest resident memory (bytes) to the file named by BENCH_PEAK at exit.
const { writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS * 1024)));
