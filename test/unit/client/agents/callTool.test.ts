import { expect, it } from "vitest";
import { callTool } from "../../../../extension/src/client/agents/callTool";
import type { HostTools } from "../../../../extension/src/client/agents/hostTools";
import { TOOL_WORDS } from "../../../../extension/src/client/agents/toolWords";
import { CancelSource } from "../../../../extension/src/client/lifetime";
import { AGENT_TOOLS } from "../../../../extension/src/core/agentTools/agentTool";

class Token extends CancelSource {
  listeners = 0;
  onCancellationRequested(listener: () => void) {
    this.listeners += 1;
    const listening = this.onCancel(listener);
    return {
      dispose: () => {
        this.listeners -= 1;
        listening.dispose();
      },
    };
  }
}

function fake(changes: Partial<HostTools["tools"]> = {}, consent?: string) {
  const heard: unknown[] = [];
  const host: HostTools = {
    tools: {
      call: async (name, _input, caller) => {
        heard.push(["call", name, caller]);
        return { ok: true, text: "fine" };
      },
      fileOf: () => "/a/file",
      beginTurn: () => undefined,
      endTurn: (session) => heard.push(["end", session]),
      dispose: () => undefined,
      ...changes,
    },
    outside: {
      confirmed: async (file, what, session) => {
        heard.push(["ask", file, what, session]);
        return consent;
      },
    },
  };
  return { host, heard };
}

const listing = { name: "contextBudget_listResults", input: {}, session: "s" };

it("asks about the file that the call names, and hands the consent on", async () => {
  const { host, heard } = fake({}, "/a/file");
  const token = new Token();
  expect(await callTool(host, listing, token)).toEqual({ ok: true, text: "fine" });
  await callTool(host, { ...listing, name: "contextBudget_explainBudget" }, token);
  expect(heard).toEqual([
    ["ask", "/a/file", "transcript", "s"],
    ["call", "contextBudget_listResults", { session: "s", confirmed: "/a/file" }],
    ["ask", "/a/file", "config", "s"],
    ["call", "contextBudget_explainBudget", { session: "s", confirmed: "/a/file" }],
  ]);
  expect(token.listeners).toBe(0);
});

it("asks nothing where no file is named, and says of no consent that there is one", async () => {
  const { host, heard } = fake({ fileOf: () => undefined });
  await callTool(host, listing, new Token());
  expect(heard).toEqual([["call", "contextBudget_listResults", { session: "s" }]]);
  const without = fake();
  await callTool(without.host, listing, new Token());
  expect(without.heard.at(-1)).toEqual(["call", "contextBudget_listResults", { session: "s" }]);
});

it("ends the session's turn when it is stopped, and answers nothing", async () => {
  const token = new Token();
  const { host, heard } = fake({
    call: async () => {
      token.cancel();
      return { ok: false, text: "stopped" };
    },
  });
  expect(await callTool(host, listing, token)).toBeUndefined();
  expect(heard.at(-1)).toEqual(["end", "s"]);
  expect(token.listeners).toBe(0);
});

it("has words for every tool, and a question for each that reads a file", () => {
  expect(Object.keys(TOOL_WORDS)).toEqual(AGENT_TOOLS.map(({ name }) => name));
  for (const { name, reads } of AGENT_TOOLS)
    expect([name, TOOL_WORDS[name]?.question !== undefined]).toEqual([name, reads === "file"]);
});
