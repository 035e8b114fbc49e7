import { describe, expect, it } from "vitest";
import {
  estimateMessage,
  estimateMessages,
  estimateRequest,
  estimateText,
  estimateTools,
  estimateValue,
  tailTokens,
} from "../../../extension/src/core/compaction/hermes/estimate";
import { pythonRepr } from "../../../extension/src/core/compaction/hermes/pythonText";
import type { PythonJson } from "../../../extension/src/core/util/pythonJson";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { hasCorpus } from "../../corpus";
import { dict, get, list, number, readRecorded, string } from "./oracle";

describe.skipIf(!hasCorpus)("Hermes' estimators, both generations", () => {
  const oracle = hasCorpus ? readRecorded("estimators.json") : undefined;

  it("texts", () => {
    const cases = list(get(oracle, "texts"));
    expect(cases).toHaveLength(150);
    for (const one of cases) {
      const text = string(get(one, "text"));
      expect(estimateText(text, "v2026.8.16.2"), text.slice(0, 40)).toBe(number(get(one, "v2026_8_16_2")));
      expect(estimateText(text, "2026-09"), text.slice(0, 40)).toBe(number(get(one, "main_2026_09")));
    }
  });

  it("values that are no text", () => {
    for (const one of list(get(oracle, "non_text"))) {
      const value = untag(get(one, "input"));
      if (value === undefined) continue;
      expect(estimateValue(value, "v2026.8.16.2")).toBe(number(get(one, "v2026_8_16_2")));
      expect(estimateValue(value, "2026-09")).toBe(number(get(one, "main_2026_09")));
    }
  });

  it("messages and the walk that protects the tail", () => {
    const cases = list(get(oracle, "messages"));
    expect(cases).toHaveLength(130);
    for (const [index, one] of cases.entries()) {
      const message = dict(get(one, "message"));
      const got = [
        countCodePoints(pythonRepr(message)),
        estimateMessage(message, "v2026.8.16.2"),
        estimateMessage(message, "2026-09"),
        tailTokens(message),
        tailTokens(message, false),
      ];
      const keys = ["repr_length", "v2026_8_16_2", "main_2026_09", "tail_walk", "tail_walk_stale"];
      expect(got, `message ${index}`).toEqual(keys.map((key) => number(get(one, key))));
    }
  });

  it("conversations, tools and requests", () => {
    const cases = list(get(oracle, "conversations"));
    expect(cases).toHaveLength(20);
    for (const [index, one] of cases.entries()) {
      const messages = list(get(one, "messages")).map(dict);
      const tools = list(get(one, "tools"));
      const system = string(get(one, "system_prompt"));
      const got = {
        messages_v2026_8_16_2: estimateMessages(messages, "v2026.8.16.2"),
        messages_main_2026_09: estimateMessages(messages, "2026-09"),
        messages_main_2026_09_without_stale_thinking: estimateMessages(messages, "2026-09", false),
        tools_tokens: estimateTools(tools),
        request_v2026_8_16_2: estimateRequest(messages, system, tools, "v2026.8.16.2"),
        request_main_2026_09: estimateRequest(messages, system, tools, "2026-09"),
      };
      for (const [key, value] of Object.entries(got))
        expect(value, `conversation ${index}, ${key}`).toBe(number(get(one, key)));
    }
  });
});

/** The JSON value behind a tagged one; undefined for types that JSON has not. */
function untag(tagged: PythonJson | undefined): PythonJson | undefined {
  const value = get(tagged, "v");
  switch (string(get(tagged, "t"))) {
    case "NoneType":
      return { kind: "literal", text: "null" };
    case "int":
    case "float":
      return { kind: "literal", text: string(value) };
    case "bool":
    case "str":
      return value;
    case "list":
      return { kind: "array", items: list(value).map((item) => untag(item) as PythonJson) };
    case "dict":
      return {
        kind: "object",
        members: new Map(
          list(value).map((pair) => [string(get(list(pair)[0], "v")), untag(list(pair)[1]) as PythonJson]),
        ),
      };
    default:
      return undefined;
  }
}
