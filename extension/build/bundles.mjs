/**
 * The one table of what the build makes. Budgets are kilobytes (1,000 bytes) of the minified file; a production build
 * fails when a bundle is over its budget, so growth is a decision that shows up in this file.
 */

/**
 * @typedef {object} Bundle
 * @property {string} name short name, also the file name in dist/ without extension
 * @property {string} entry path from the repository root
 * @property {"node" | "page"} runtime node = CommonJS for Node 20; page = one classic script for a webview
 * @property {number} budgetKb
 * @property {boolean} [executable] gets a shebang line and the executable bit
 */

/** @type {readonly Bundle[]} */
export const BUNDLES = [
  { name: "extension", entry: "extension/src/client/activate.ts", runtime: "node", budgetKb: 600 },
  { name: "server", entry: "extension/src/server/main.ts", runtime: "node", budgetKb: 500 },
  { name: "cli", entry: "extension/src/cli/bin.ts", runtime: "node", budgetKb: 560, executable: true },
  // All readers, and the loader of the SQLite engine (35).
  { name: "worker", entry: "extension/src/node/indexWorker.ts", runtime: "node", budgetKb: 280 },
  { name: "webview", entry: "webview/src/main.ts", runtime: "page", budgetKb: 300 },
];

/** Size of the whole package, compressed: 1 MiB. Two fifths of it are the SQLite engine, which spares a native build per platform. */
export const PACKAGE_BUDGET_KB = 1_048.576;

/** Packages whose files ship without being bundled; their licences belong into the notices too. */
export const COPIED_PACKAGES = ["@vscode/codicons"];

/** Third-party notices made from what the bundles really contain. */
export const NOTICES = "NOTICES.txt";

/** The README as it ships: without the pictures, which would take a fifth of the package. Becomes `readme.md` there. */
export const PACKAGED_README = "README.md";
