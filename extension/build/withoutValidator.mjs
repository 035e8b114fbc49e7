/**
 * The MCP SDK brings a validator of JSON schemas, for what a server asks its user and for what a client gets. Our server asks
 * nothing, and the tools check their own input (`core/agentTools/inputs.ts`), so the bundles do without it: 126 KB that make code of schemas.
 */
export const withoutValidator = {
  name: "without-validator",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]sdk[\\/].*[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents:
        'export class AjvJsonSchemaValidator{getValidator(){throw new Error("Schemas are not validated in this bundle.")}}',
      loader: "js",
    }));
  },
};
