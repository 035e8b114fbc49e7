/**
 * Of secretlint's rules the bundles carry the expressions, not what opens certificate files and the names of files: no rule that is
 * asked needs them (`node/secretRules.ts`).
 */
export const rulesOnly = {
  name: "rules-only",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^node:(fs|path)$/ }, ({ kind, importer }) =>
      kind === "dynamic-import" && /[\\/]secretlint-rule-preset-recommend[\\/]/.test(importer)
        ? { path: "left-out", namespace: "rules-only" }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "rules-only" }, () => ({
      contents: 'throw new Error("Certificate files are not opened.");',
      loader: "js",
    }));
  },
};
