import { describe, expect, it } from "vitest";
import { ErrorCodes } from "vscode-languageserver/node";
import {
  CONFIG_SUMMARY,
  CONFIG_THRESHOLD,
  EXPLAIN_CONFIG,
  EXPLAIN_CONFIG_TEXT,
  isConfigSummaryResult,
  isConfigThresholdResult,
  isExplainConfigResult,
  isSetThresholdResult,
  SET_THRESHOLD,
} from "../../extension/src/protocol/lsp";
import { HOME_CONFIG, Session } from "./session";

const OPEN = { uri: HOME_CONFIG };
const TEXT = { ...OPEN, languageId: "yaml", text: "model:\n  context_length: 65536\n" };

/** Each request with what it may be asked with, what it may not, and the guard of its answer. */
const REQUESTS = [
  { method: EXPLAIN_CONFIG, asked: OPEN, wrong: [{}, { uri: 1 }], isAnswer: isExplainConfigResult },
  { method: CONFIG_SUMMARY, asked: OPEN, wrong: [{}, { uri: null }], isAnswer: isConfigSummaryResult },
  {
    method: EXPLAIN_CONFIG_TEXT,
    asked: { ...TEXT, model: "gpt-5", contextWindow: 200_000 },
    wrong: [OPEN, { ...TEXT, text: 1 }, { ...TEXT, model: 5 }, { ...TEXT, contextWindow: -1 }],
    isAnswer: isExplainConfigResult,
  },
  {
    method: CONFIG_THRESHOLD,
    asked: TEXT,
    wrong: [OPEN, { ...TEXT, languageId: [] }],
    isAnswer: isConfigThresholdResult,
  },
  {
    method: SET_THRESHOLD,
    asked: { ...TEXT, threshold: 20_000 },
    wrong: [TEXT, { ...TEXT, threshold: "20000" }, { ...TEXT, threshold: 0.5 }],
    isAnswer: isSetThresholdResult,
  },
];

describe.each(REQUESTS)("$method", ({ method, asked, wrong, isAnswer }) => {
  it("answers in its shape, and refuses what is asked in another one", async () => {
    const session = await Session.start({ init: { homes: ["/home/user/.hermes"] } });
    try {
      await session.open(TEXT.text);
      expect(await session.request(method, asked)).toSatisfy(isAnswer);
      for (const params of [...wrong, [], null, undefined])
        await expect(session.request(method, params)).rejects.toMatchObject({
          code: ErrorCodes.InvalidParams,
          message: expect.stringContaining(method),
        });
      expect(session.warnings).toEqual([]);
    } finally {
      session.dispose();
    }
  });

  it("knows an answer of another shape", () => {
    for (const answer of [null, 1, "x", [], {}]) expect(isAnswer(answer)).toBe(false);
  });
});

describe("answers with one part of another shape", () => {
  it("are none", () => {
    const threshold = { threshold: 1, scaled: { from: 1, to: 2 }, windowTokens: null, line: 0 };
    expect(isConfigThresholdResult(threshold)).toBe(true);
    expect(isConfigThresholdResult({ ...threshold, scaled: null })).toBe(false);
    expect(isConfigThresholdResult({ ...threshold, line: "0" })).toBe(false);
    const place = { line: 0, character: 1 };
    const edit = { start: place, end: place, newText: "x" };
    expect(isSetThresholdResult({ edits: [edit], notes: ["a"] })).toBe(true);
    expect(isSetThresholdResult({ edits: null, notes: [] })).toBe(true);
    expect(isSetThresholdResult({ edits: [{ ...edit, end: { line: -1, character: 0 } }], notes: [] })).toBe(false);
    expect(isSetThresholdResult({ edits: [], notes: [1] })).toBe(false);
    expect(isConfigSummaryResult({ text: "a", detail: "b", isBroken: "no" })).toBe(false);
  });
});
