import { describe, expect, it } from "vitest";
import { onePerSession } from "../../../extension/src/core/transcript/onePerSession";

describe("of a session in many files one stands for all", () => {
  it.each(["/", "\\"])("with the separator %s", (separator) => {
    const at = (path: string) => path.replaceAll("/", separator);
    const kept = [
      "/w/a/events/event-00002-b.json",
      "/w/c/base_state.json",
      "/w/old/events/9.json",
      "/w/oc/storage/session/p/ses_1.json",
      "/w/oc/storage/notes.json",
      "/w/events/talk.jsonl",
      "/w/storage.json",
    ];
    const gone = [
      "/w/a/base_state.json",
      "/w/a/events/event-00010-a.json",
      "/w/old/events/10.json",
      "/w/oc/storage/message/ses_1/msg_1.json",
      "/w/oc/storage/part/msg_1/prt_1.json",
      "/w/oc/storage/project/p.json",
    ];
    const given = [...gone, ...kept].sort().map(at);
    expect(onePerSession(given)).toEqual(given.filter((path) => kept.map(at).includes(path)));
  });

  it("takes nothing away where nothing belongs together", () => {
    const paths = ["/b.jsonl", "/a.json", "/events/1.json", "/app/storage/message/talk.json"];
    expect(onePerSession(paths)).toEqual(paths);
  });
});
