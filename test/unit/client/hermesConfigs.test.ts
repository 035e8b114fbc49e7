import { describe, expect, it } from "vitest";
import { HermesConfigs } from "../../../extension/src/client/hermesConfigs";
import type { HomesInput } from "../../../extension/src/node/homes";
import type { ConfigTextParams } from "../../../extension/src/protocol/lsp";
import { memoryFiles, utf8 } from "./fakes";

const TREE = {
  "/home/u/.hermes/config.yaml": [10, 1_000],
  "/home/u/.hermes/profiles/work/config.yml": [20, 2_000],
  "/home/u/.hermes/profiles/empty/notes.txt": [1, 1],
  "/home/u/.hermes/profiles/work/sessions/s.json": [1, 1],
  "/other/config.yaml": [30, 3_000],
} as const;

function make(more: Partial<HomesInput> = {}, mayLook = true) {
  const asked: ConfigTextParams[] = [];
  const input: HomesInput = {
    env: {},
    platform: "linux",
    homeFolder: "/home/u",
    tempFolder: "/tmp",
    extra: ["/other"],
    workspaceFolders: [],
    added: [],
    ...more,
  };
  const configs = new HermesConfigs({
    files: memoryFiles(TREE),
    utf8,
    homes: () => input,
    mayLook: () => mayLook,
    server: {
      configThreshold: async (params) => {
        asked.push(params);
        return { threshold: 9_000, scaled: { from: 8_000, to: 100_000 }, windowTokens: null, line: 0 };
      },
    },
  });
  return { configs, asked };
}

describe("configs of the Hermes homes", () => {
  it("are those of homes and profiles that are there", async () => {
    expect([...(await make().configs.list())].sort()).toEqual([
      "/home/u/.hermes/config.yaml",
      "/home/u/.hermes/profiles/work/config.yml",
      "/other/config.yaml",
    ]);
    expect(await make({}, false).configs.list()).toEqual([]);
  });

  it("apply to the transcripts in their own home, else the machine's does", async () => {
    const { configs, asked } = make();
    const of = async (path: string) => (await configs.inForce(path, "hermes"))?.file;
    expect(await of("/home/u/.hermes/profiles/work/sessions/s.json")).toBe("/home/u/.hermes/profiles/work/config.yml");
    expect(await of("/home/u/.hermes/sessions/s.json")).toBe("/home/u/.hermes/config.yaml");
    expect(await of("/other/sessions/s.json")).toBe("/other/config.yaml");
    expect(await of("/elsewhere/s.json")).toBe("/home/u/.hermes/config.yaml");
    expect(asked[0]).toMatchObject({ languageId: "yaml", text: "\0".repeat(20) });
    expect(await configs.inForce("/home/u/.hermes/s.json", "hermes")).toMatchObject({
      threshold: 9_000,
      changed: 1_000,
    });
  });

  it("say nothing about other agents, or where nothing may be looked at", async () => {
    expect(await make().configs.inForce("/home/u/.hermes/s.json", "claude-code")).toBeUndefined();
    expect(await make({}, false).configs.inForce("/home/u/.hermes/s.json", "hermes")).toBeUndefined();
  });
});
