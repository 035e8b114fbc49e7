import { describe, expect, it } from "vitest";
import { AGENT_TOOLS } from "../../../extension/src/core/agentTools/agentTool";
import { createAgentTools } from "../../../extension/src/core/agentTools/createAgentTools";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { fakePorts } from "./fakePorts";

const CALLER = { session: "chat" };

describe("the tools", () => {
  it("have names that editors and servers take, and schemas that name what is needed", () => {
    for (const { name, inputSchema } of AGENT_TOOLS) {
      expect(name).toMatch(/^[\w-]{1,64}$/);
      for (const key of inputSchema.required) expect(Object.keys(inputSchema.properties)).toContain(key);
    }
  });

  it("explain a budget without its secrets", async () => {
    const tools = createAgentTools(
      fakePorts({ explainConfig: async ({ config }) => ({ ok: true, value: `# ${config} SECRET-ABC` }) }),
    );
    const answer = await tools.call(
      "contextBudget_explainBudget",
      { config: "/a/config.yaml" },
      CALLER,
      NEVER_CANCELLED,
    );
    expect(answer).toEqual({ ok: true, text: "# /a/config.yaml [secret: test]" });
  });
});
