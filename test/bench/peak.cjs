// Preloaded into measured processes: at exit writes their highest resident memory (bytes) and their processor time
// (milliseconds, all threads) to the file named by BENCH_PEAK.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peak: maxRSS * 1024, cpu: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env.BENCH_PEAK, JSON.stringify(usage));
});
