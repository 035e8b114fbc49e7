import { expect, it } from "vitest";
import { findTranscripts, SEARCH_LIMITS } from "../../../extension/src/cli/findTranscripts";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { fakeIo } from "./fakeIo";

it("finds candidates by name in a stable order and leaves foreign folders alone", async () => {
  const io = fakeIo({
    "/w/b.jsonl": "",
    "/w/a/session.JSON": "",
    "/w/a/tool-results/toolu_1.json": "",
    "/w/node_modules/x/package.json": "",
    "/w/.hermes/sessions/s.json": "",
    "/w/readme.md": "",
  });
  const found = await findTranscripts("/w", io, NEVER_CANCELLED);
  expect(found).toEqual({
    files: ["/w/.hermes/sessions/s.json", "/w/a/session.JSON", "/w/b.jsonl"],
    capped: undefined,
    unreadable: [],
  });
});

it("says when it did not look everywhere", async () => {
  const deep = `/w${"/d".repeat(SEARCH_LIMITS.depth + 2)}/t.jsonl`;
  const found = await findTranscripts("/w", fakeIo({ [deep]: "" }), NEVER_CANCELLED);
  expect(found.files).toEqual([]);
  expect(found.capped).toContain("deep");
});

it("ends at a loop of links", async () => {
  const io = fakeIo({ "/w/t.jsonl": "" });
  const looped = {
    ...io,
    files: {
      ...io.files,
      list: async (path: string) => (path.startsWith("/w") ? ["loop", "t.jsonl"] : []),
      stat: async (path: string) =>
        path.endsWith("t.jsonl")
          ? ({ kind: "file", bytes: 0, mtimeMs: 0, realPath: path } as const)
          : ({ kind: "directory", bytes: 0, mtimeMs: 0, realPath: "/w" } as const),
    },
  };
  expect((await findTranscripts("/w", looped, NEVER_CANCELLED)).files).toEqual(["/w/t.jsonl"]);
});

it("one file stands for an OpenHands conversation, whose events are files", async () => {
  const io = fakeIo({
    "/w/c-1/base_state.json": "",
    "/w/c-1/events/event-00000-a.json": "",
    "/w/c-1/events/event-00001-b.json": "",
    "/w/s-1/events/0.json": "",
    "/w/s-1/events/1.json": "",
    "/w/s-1/events/notes.json": "",
    "/w/lone/base_state.json": "",
  });
  expect((await findTranscripts("/w", io, NEVER_CANCELLED)).files).toEqual([
    "/w/c-1/events/event-00000-a.json",
    "/w/lone/base_state.json",
    "/w/s-1/events/0.json",
    "/w/s-1/events/notes.json",
  ]);
});
