/**
 * Leaves out of the bundles what of the language-server packages could open a socket or start a program: transports and
 * searches that the product never uses. `test/safety/bundles.test.ts` holds every bundle to it, whoever brings a package in.
 */

/** What takes the place of a function that must not be there. It fails loudly, so that a new use is noticed at once. */
const REFUSE = 'const refuse=(name)=>()=>{throw new Error(name+" is left out of this bundle")};';

/**
 * Node module that a package imports → what it gets instead.
 * @type {readonly { readonly from: RegExp, readonly module: RegExp, readonly contents: string }[]}
 */
const INSTEAD = [
  // Transports over named pipes and ports. Ours are the standard streams and the channel of a forked process.
  {
    from: /[\\/]vscode-jsonrpc[\\/]/,
    module: /^(node:)?net$/,
    contents: `${REFUSE}exports.createServer=refuse("a socket");exports.createConnection=refuse("a socket");`,
  },
  // Looks for globally installed packages by asking npm and yarn.
  {
    from: /[\\/]vscode-languageserver[\\/]/,
    module: /^(node:)?child_process$/,
    contents: `${REFUSE}exports.fork=refuse("a process");exports.spawnSync=refuse("a process");`,
  },
  // Forks our server; could start any other program as a server.
  {
    from: /[\\/]vscode-languageclient[\\/]/,
    module: /^(node:)?child_process$/,
    contents: `${REFUSE}exports.fork=require("node:child_process").fork;exports.spawn=refuse("a program");`,
  },
];

/** The client ends a server that does not end by itself through a shell script; ours has no processes of its own to search for. */
const TERMINATE = 'exports.terminate=(process)=>process.kill("SIGKILL");';

export const withoutNetwork = {
  name: "without-network",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^(node:)?(net|child_process)$/ }, ({ path, importer }) => {
      const index = INSTEAD.findIndex(({ from, module }) => module.test(path) && from.test(importer));
      return index < 0 ? undefined : { path: String(index), namespace: "without-network" };
    });
    build.onLoad({ filter: /.*/, namespace: "without-network" }, ({ path }) => ({
      contents: INSTEAD[Number(path)]?.contents ?? "",
      loader: "js",
    }));
    build.onLoad({ filter: /[\\/]vscode-languageclient[\\/]lib[\\/]node[\\/]processes\.js$/ }, () => ({
      contents: TERMINATE,
      loader: "js",
    }));
  },
};
