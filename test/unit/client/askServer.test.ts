import { describe, expect, it } from "vitest";
import { askServer } from "../../../extension/src/client/askServer";
import { EXPLAIN_CONFIG, isExplainConfigResult } from "../../../extension/src/protocol/lsp";

const ask = (answer: unknown) =>
  askServer(async () => answer, EXPLAIN_CONFIG, { uri: "file:///c.yaml" }, isExplainConfigResult);

describe("an answer of the server", () => {
  it("is taken in its shape, and null says that there is none", async () => {
    expect(await ask({ markdown: "# A" })).toEqual({ markdown: "# A" });
    expect(await ask(null)).toBeNull();
  });

  it("is an error that names the request in another one", async () => {
    for (const answer of [undefined, {}, { markdown: 1 }, "text"])
      await expect(ask(answer)).rejects.toThrow(EXPLAIN_CONFIG);
  });
});
