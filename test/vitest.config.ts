import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * One project per level; `npm test` runs each as a stage of its own. A project that finds no test file fails.
 * The times allowed tell what hangs from what is slow, on a machine with several times as much to do as it has processors.
 * Without isolation all files of a level share a process, each of which would else start one and load the sources again:
 * a third of the time of the small ones. No module of ours keeps state, and no test replaces one.
 */
const levels = [
  { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 60_000, isolate: false },
  { name: "server", include: ["test/server/**/*.test.ts"], testTimeout: 60_000 },
  { name: "webview", include: ["test/webview/**/*.test.ts"], testTimeout: 120_000, isolate: false },
  { name: "architecture", include: ["test/architecture.test.ts"], testTimeout: 60_000 },
  { name: "safety", include: ["test/safety/**/*.test.ts"], testTimeout: 60_000 },
  { name: "workbench", include: ["test/workbench/**/*.test.ts"], testTimeout: 240_000 },
  { name: "package", include: ["test/package.test.ts"], testTimeout: 120_000 },
];

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    passWithNoTests: false,
    allowOnly: false,
    hookTimeout: 240_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 30_000 } },
    projects: levels.map((level) => ({ extends: true, test: { ...level, environment: "node" } })),
  },
});
