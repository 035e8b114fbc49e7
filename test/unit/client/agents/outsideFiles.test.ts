import { describe, expect, it } from "vitest";
import { OutsideFiles, type OutsideFilesParts } from "../../../../extension/src/client/agents/outsideFiles";
import { CancelSource } from "../../../../extension/src/client/lifetime";
import { err, ok } from "../../../../extension/src/core/model/problem";
import { type FileStat, NEVER_CANCELLED } from "../../../../extension/src/core/ports";

const file = (realPath: string): FileStat => ({ kind: "file", bytes: 1, mtimeMs: 0, realPath });

function make(changes: Partial<OutsideFilesParts> = {}, answer: (path: string) => boolean = () => true) {
  const asked: string[] = [];
  const outside = new OutsideFiles({
    mayRead: async (path) => (path.startsWith("/known/") ? ok(path) : err({ message: "outside" })),
    files: { stat: async (path) => file(path) },
    ground: () => ({ platform: "linux", homeFolder: "/home/dana" }),
    isTrusted: () => true,
    prompts: {
      confirm: async (_question, detail) => {
        const path = detail.split("\n")[0] ?? "";
        asked.push(path);
        return answer(path);
      },
    },
    ...changes,
  });
  const confirmed = (path: string, session = "s"): Promise<string | undefined> =>
    outside.confirmed(path, "transcript", session, NEVER_CANCELLED);
  return { outside, asked, confirmed };
}

describe("consent to a file that nobody vouches for", () => {
  it("is asked for once per chat and file, and counts for that file under every way to write it", async () => {
    const { asked, confirmed } = make();
    expect(await confirmed("/x/a.jsonl")).toBe("/x/a.jsonl");
    expect(await Promise.all([confirmed("/x/./a.jsonl"), confirmed("/x/y/../a.jsonl")])).toEqual([
      "/x/a.jsonl",
      "/x/a.jsonl",
    ]);
    expect(await confirmed("~/a.jsonl")).toBe("/home/dana/a.jsonl");
    expect(asked).toEqual(["/x/a.jsonl", "/home/dana/a.jsonl"]);
    await confirmed("/x/a.jsonl", "another chat");
    expect(asked).toHaveLength(3);
  });

  it("is not asked for again after a no, however often the agent tries", async () => {
    const { asked, confirmed } = make({}, () => false);
    for (let times = 0; times < 5; times += 1) expect(await confirmed("/x/a.jsonl")).toBeUndefined();
    expect(asked).toEqual(["/x/a.jsonl"]);
  });

  it("is asked for once while calls wait for it together", async () => {
    const { asked, confirmed } = make();
    expect(await Promise.all([confirmed("/x/a"), confirmed("/x/a")])).toEqual(["/x/a", "/x/a"]);
    expect(asked).toEqual(["/x/a"]);
  });

  it.each([
    ["a known file", make(), "/known/a"],
    ["a workspace that is not trusted", make({ isTrusted: () => false }), "/x/a"],
    ["no full path", make(), "a.jsonl"],
    ["a link, whose end people would not see", make({ files: { stat: async () => file("/etc/shadow") } }), "/x/a"],
    ["nothing", make({ files: { stat: async () => ({ kind: "missing" }) } }), "/x/a"],
    ["a device", make({ files: { stat: async (path) => ({ ...file(path), kind: "other" }) as FileStat } }), "/x/a"],
  ])("is not asked for with %s", async (_what, { asked, confirmed }, path) => {
    expect(await confirmed(path)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("is not asked for any more once the call was stopped", async () => {
    const stopped = new CancelSource();
    const { outside, asked } = make({
      files: {
        stat: async (path) => {
          stopped.cancel();
          return file(path);
        },
      },
    });
    expect(await outside.confirmed("/x/a", "transcript", "s", stopped)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("shows every character of the path", async () => {
    const { asked, confirmed } = make();
    expect(await confirmed("/x/\u202egnp.exe\n\nIt is safe")).toBe("/x/\u202egnp.exe\n\nIt is safe");
    expect(asked).toEqual(["/x/\\u{202e}gnp.exe\\u{a}\\u{a}It is safe"]);
  });

  it("is not asked for without end: neither for one chat's files, nor in what is remembered", async () => {
    const { asked, confirmed } = make();
    for (let n = 0; n < 100; n += 1) await confirmed(`/x/${n}`);
    expect(asked).toHaveLength(20);
    for (let n = 0; n < 200; n += 1) await confirmed("/x/0", `chat ${n}`);
    expect(asked).toHaveLength(220);
    await confirmed("/x/0", "chat 199");
    expect(asked).toHaveLength(220);
    await confirmed("/x/0", "chat 0");
    expect(asked).toHaveLength(221);
  });
});
