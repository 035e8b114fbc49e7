import { describe, expect, it } from "vitest";
import {
  CONFIG_THRESHOLD,
  type ConfigThresholdResult,
  SET_THRESHOLD,
  type SetThresholdResult,
} from "../../extension/src/protocol/lsp";
import { HOME_CONFIG, Session, type SessionOptions } from "./session";

const KEY = "tool_result_persist_threshold_chars";
const MANAGED = {
  env: { HERMES_MANAGED_DIR: "/managed" },
  files: { "/managed/config.yaml": `tools: {${KEY}: 9000}\n` },
};

async function ask<T>(method: string, params: object, options: SessionOptions = {}): Promise<T | null> {
  const session = await Session.start(options);
  try {
    return await session.request<T | null>(method, { uri: HOME_CONFIG, languageId: "yaml", ...params });
  } finally {
    session.dispose();
  }
}

describe("the threshold of a config that is not open", () => {
  const thresholdOf = (text: string, options?: SessionOptions) =>
    ask<ConfigThresholdResult>(CONFIG_THRESHOLD, { text }, options);

  it("is told with the window and what an unset one gives", async () => {
    expect(await thresholdOf(`model:\n  context_length: 65536\ntools:\n  ${KEY}: 20000\n`)).toEqual({
      threshold: 20_000,
      scaled: { from: 39_321, to: 39_321 },
      windowTokens: 65_536,
      line: 3,
    });
    expect(await thresholdOf("tools: {}\n")).toEqual({
      threshold: null,
      scaled: { from: 8_000, to: 100_000 },
      windowTokens: null,
      line: null,
    });
    expect(await thresholdOf("tools: [\n")).toMatchObject({ threshold: null });
  });

  it("follows the managed layer", async () => {
    expect(await thresholdOf(`tools:\n  ${KEY}: 20000\n`, { world: MANAGED })).toMatchObject({ threshold: 9_000 });
  });

  it("is nothing in a language that no config is written in", async () => {
    expect(await ask(CONFIG_THRESHOLD, { text: "x", languageId: "markdown" })).toBeNull();
  });
});

describe("setting the threshold of a config", () => {
  const set = (text: string, options?: SessionOptions) =>
    ask<SetThresholdResult>(SET_THRESHOLD, { text, threshold: 20_000 }, options);

  it("gives the edits and changes nothing", async () => {
    expect(await set(`a: 1\ntools:\n  ${KEY}: 5e3\n`)).toEqual({
      edits: [{ start: { line: 2, character: 39 }, end: { line: 2, character: 42 }, newText: "20000" }],
      notes: [],
    });
  });

  it("says what wins over the file", async () => {
    const { edits, notes } = (await set("a: 1\n", { world: MANAGED })) ?? {};
    expect(edits).toHaveLength(1);
    expect(notes).toEqual([expect.stringContaining(`/managed/config.yaml sets tools.${KEY} to 9000`)]);
  });

  it("says why it cannot be done", async () => {
    const { edits, notes } = (await set("tools: [\n")) ?? {};
    expect(edits).toBeNull();
    expect(notes).toHaveLength(1);
    expect(await set("- a\n")).toEqual({ edits: null, notes: [] });
  });
});
