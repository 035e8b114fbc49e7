import { expect, it } from "vitest";
import { chatSession } from "../../../../extension/src/client/agents/chatSession";

const of139 = (path: string) => ({
  sessionResource: { $mid: 1, scheme: "vscode-chat-session", authority: "local", path, query: "", external: path },
  workingDirectory: undefined,
});

it.each([
  ["1.100", { sessionId: "a" }, { sessionId: "b" }],
  ["1.139", of139("/a"), of139("/b")],
  ["an address as text", { sessionResource: "x:/a" }, { sessionResource: "x:/b" }],
  ["another shape", { chat: { number: 1 } }, { chat: { number: 2 } }],
])("tells chats apart by the token of VS Code %s, and knows each again", (_version, one, other) => {
  expect(chatSession(structuredClone(one))).toBe(chatSession(one));
  expect(chatSession(other)).not.toBe(chatSession(one));
});

it("goes by the chat alone: what the request adds or a cache fills in changes nothing", () => {
  const { sessionResource } = of139("/a");
  const { external: _, ...plain } = sessionResource;
  expect(chatSession({ sessionResource: plain, workingDirectory: "/w" })).toBe(chatSession(of139("/a")));
});

it("takes calls without a chat for one session, which is no chat's", () => {
  expect(chatSession(undefined)).toBe(chatSession(null));
  expect(chatSession("no chat")).toBe(chatSession(undefined));
  expect(chatSession({ sessionId: "no chat" })).not.toBe(chatSession(undefined));
  expect(chatSession({})).not.toBe(chatSession(undefined));
});
