/**
 * The one table of what the build makes. Budgets are kilobytes (1,000 bytes) of the minified file; a production build
 * fails when a bundle is over its budget, so growth is a decision that shows up in this file.
 */

/**
 * @typedef {object} Bundle
 * @property {string} name short name, also the file name in dist/ without extension
 * @property {string} entry path from the repository root
 * @property {"host" | "shared" | "page"} runtime host = one CommonJS file, which VS Code or a thread loads by its name; shared = an ES
 *   module for Node 20 that shares chunks with the others of its kind; page = one classic script for a webview
 * @property {number} budgetKb of the file itself, and for "shared" of all chunks too that it can reach
 * @property {boolean} [executable] gets the executable bit
 */

/** @type {readonly Bundle[]} */
export const BUNDLES = [
  { name: "extension", entry: "extension/src/client/extension.ts", runtime: "host", budgetKb: 5 },
  // With the language client (440), most of what the extension needs of packages; imported when the server is started.
  // The rules that find secrets (63) are loaded at their first use, here, by the server and in the worker.
  { name: "host", entry: "extension/src/client/activate.ts", runtime: "shared", budgetKb: 880 },
  { name: "server", entry: "extension/src/server/main.ts", runtime: "shared", budgetKb: 560 },
  // A third is loaded by `mcp` alone: the SDK with zod (142), the tools for agents with the search for sessions, and what they share
  // with the config checker's explanations. The rules that find secrets (46) came on top as well,
  // and the search for handles (16). Formats of 2026 and the table that takes rows as they are brought 50, here and to the worker.
  { name: "cli", entry: "extension/src/cli/bin.ts", runtime: "shared", budgetKb: 1040, executable: true },
  // All readers, the loader of the SQLite engine (35), and the simulator with its reports (120).
  { name: "worker", entry: "extension/src/node/indexWorker.ts", runtime: "shared", budgetKb: 700 },
  // All that the thread needs before it helps.
  { name: "skim", entry: "extension/src/node/skimThread.ts", runtime: "host", budgetKb: 45 },
  // uPlot (53) and the what-if tab (120, a quarter of it its texts and styles) came on top of 300; handles and pages (27, a third of it texts);
  // the figures of each thread and what they cover (2).
  { name: "webview", entry: "webview/src/main.ts", runtime: "page", budgetKb: 484 },
];

/** Name of a bundle's file in dist/. @param {Bundle} bundle */
export const fileOf = (bundle) => `${bundle.name}.${bundle.runtime === "shared" ? "mjs" : "js"}`;

/**
 * Size of the whole package, compressed: 1.25 MiB. A third of it is the SQLite engine, which spares a native build per
 * platform; the rules that find secrets and the MCP server came on top of 1 MiB.
 */
export const PACKAGE_BUDGET_KB = 1_310.72;

/** Packages whose files ship without being bundled; their licences belong into the notices too. */
export const COPIED_PACKAGES = ["@vscode/codicons"];

/** Third-party notices made from what the bundles really contain. */
export const NOTICES = "NOTICES.txt";

/** The README as it ships: without the pictures, which would take a fifth of the package. Becomes `readme.md` there. */
export const PACKAGED_README = "README.md";
