/**
 * Asks the registry for advisories about the versions in the lockfile. Usage: npm run audit
 * Exits with 0 when none is known, 1 when some are, 2 when the registry could not be asked: that is no clean bill.
 */
import { execFile } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * What an answer of `npm audit --json` means, in words and as an exit code.
 * @param {string} answer standard output of npm
 * @param {string} what which packages were asked about
 * @returns {{ code: 0 | 1 | 2, lines: readonly string[] }}
 */
export function judged(answer, what) {
  const unasked = (/** @type {string} */ why) =>
    /** @type {const} */ ({
      code: 2,
      lines: [`${what}: NOT CHECKED. The registry could not be asked for advisories (${why}).`],
    });
  let report;
  try {
    report = JSON.parse(answer);
  } catch (error) {
    return unasked(`npm answered something unexpected: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof report?.vulnerabilities !== "object" || report.vulnerabilities === null)
    return unasked(String(report?.message ?? report?.error?.summary ?? "npm gave no report"));
  /** @type {readonly { name: string, severity: string, range: string, via: readonly unknown[] }[]} */
  const found = Object.values(report.vulnerabilities);
  if (found.length === 0) return { code: 0, lines: [`${what}: no known advisory.`] };
  return {
    code: 1,
    lines: found.map(({ name, severity, range, via }) => {
      const titles = via.flatMap((one) =>
        typeof one === "object" && one !== null && "title" in one ? [one.title] : [],
      );
      return `${what}: ${name} ${range}: ${severity}${titles.length > 0 ? `: ${titles.join("; ")}` : ""}`;
    }),
  };
}

/** @param {readonly string[]} options @returns {Promise<string>} */
const ask = (options) =>
  new Promise((done) => {
    const windows = process.platform === "win32";
    // npm exits with 1 both when there are advisories and when it could not ask; what it prints tells which.
    execFile(windows ? "npm.cmd" : "npm", ["audit", "--json", ...options], { cwd: root, shell: windows }, (_, stdout) =>
      done(stdout),
    );
  });

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const answers = [
    judged(await ask(["--omit=dev"]), "What ships"),
    judged(await ask([]), "With the tools that make and test it"),
  ];
  for (const { lines } of answers) console.log(lines.join("\n"));
  process.exitCode = Math.max(...answers.map(({ code }) => code));
}
