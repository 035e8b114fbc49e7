import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** One project per level; `npm test` runs each as a stage of its own. A project that finds no test file fails. */
const levels = [
  { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 20_000 },
  { name: "server", include: ["test/server/**/*.test.ts"], testTimeout: 30_000 },
  { name: "webview", include: ["test/webview/**/*.test.ts"], testTimeout: 60_000 },
  { name: "architecture", include: ["test/architecture.test.ts"], testTimeout: 60_000 },
  { name: "safety", include: ["test/safety/**/*.test.ts"], testTimeout: 60_000 },
  { name: "workbench", include: ["test/workbench/**/*.test.ts"], testTimeout: 90_000 },
  { name: "package", include: ["test/package.test.ts"], testTimeout: 120_000 },
];

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    passWithNoTests: false,
    allowOnly: false,
    hookTimeout: 120_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 15_000 } },
    projects: levels.map((level) => ({ extends: true, test: { ...level, environment: "node" } })),
  },
});
