import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileFollower, type FileNews } from "../../../extension/src/node/followFile";

let folder: string;
let follower: FileFollower | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "context-budget-follow-"));
});
afterEach(() => {
  follower?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const HOUR_MS = 3_600_000;

/** Follows a file; `next` resolves with the next news of that kind. */
function follow(path: string, options: { readonly watch: boolean; readonly poll?: number; readonly quiet?: number }) {
  const waiting = new Set<(news: FileNews) => void>();
  const intervals = { settle: 5, poll: options.poll ?? 20, quiet: options.quiet ?? HOUR_MS };
  follower = new FileFollower(
    path,
    (news) => {
      for (const hear of [...waiting]) hear(news);
    },
    (error) => expect.unreachable(String(error)),
    { watch: options.watch, intervals },
  );
  const next = (wanted: (news: FileNews) => boolean): Promise<FileNews> =>
    new Promise((resolve) => {
      const hear = (news: FileNews): void => {
        if (!wanted(news)) return;
        waiting.delete(hear);
        resolve(news);
      };
      waiting.add(hear);
    });
  return { next, what: (what: FileNews["what"]) => next((news) => news.what === what) };
}

/** A file that nobody has written to lately. */
function old(path: string): void {
  writeFileSync(path, "{}\n");
  const then = new Date(Date.now() - 2 * HOUR_MS);
  utimesSync(path, then, then);
}

describe.each([
  ["by its watcher", { watch: true, poll: HOUR_MS }],
  ["by polling", { watch: false }],
] as const)("a file is followed %s", (_, how) => {
  it("when it grows, is cut, is replaced, goes and comes back", async () => {
    const path = join(folder, "session.jsonl");
    writeFileSync(path, "{}\n");
    const { what } = follow(path, how);
    expect(await what("same")).toEqual({ what: "same", live: true });
    let news = what("changed");
    appendFileSync(path, "{}\n");
    expect(await news).toEqual({ what: "changed", live: true });
    news = what("changed");
    writeFileSync(path, "");
    await news;
    news = what("changed");
    writeFileSync(join(folder, "other"), "{}\n");
    renameSync(join(folder, "other"), path);
    await news;
    news = what("gone");
    rmSync(path);
    expect(await news).toEqual({ what: "gone", live: false });
    news = what("changed");
    writeFileSync(path, "{}\n");
    await news;
  });

  it("when only the log beside a database is written", async () => {
    const path = join(folder, "state.db");
    writeFileSync(path, "x");
    const { what } = follow(path, how);
    await what("same");
    const news = what("changed");
    writeFileSync(`${path}-wal`, "frames");
    await news;
  });
});

describe("a session in many files", () => {
  it("is followed in all that its agent writes for it: opencode's newest messages and parts", async () => {
    const storage = join(folder, "storage");
    const part = (message: string, name: string) => join(storage, "part", message, name);
    for (const path of ["session/p", "message/ses_1", "part/msg_1"])
      mkdirSync(join(storage, path), { recursive: true });
    const session = join(storage, "session", "p", "ses_1.json");
    writeFileSync(session, "{}");
    writeFileSync(join(storage, "message", "ses_1", "msg_1.json"), "{}");
    writeFileSync(part("msg_1", "prt_1.json"), "{}");
    const { what } = follow(session, { watch: false });
    await what("same");
    let news = what("changed");
    writeFileSync(part("msg_1", "prt_2.json"), "{}");
    expect(await news).toEqual({ what: "changed", live: true });
    news = what("changed");
    // In place: the folder does not tell.
    writeFileSync(part("msg_1", "prt_2.json"), '{"more":1}');
    await news;
    news = what("changed");
    writeFileSync(join(storage, "message", "ses_1", "msg_2.json"), "{}");
    await news;
    news = what("gone");
    rmSync(session);
    await news;
  });

  it.each([
    ["an event, by the folder's watcher", "events/0.json", { watch: true, poll: HOUR_MS }],
    ["an event, by polling", "events/0.json", { watch: false }],
    ["the state", "base_state.json", { watch: false }],
  ] as const)("OpenHands' by new events, wherever it was opened: %s", async (_, opened, how) => {
    mkdirSync(join(folder, "events"));
    writeFileSync(join(folder, "events", "0.json"), "{}");
    writeFileSync(join(folder, "base_state.json"), "{}");
    const { what } = follow(join(folder, opened), how);
    await what("same");
    const news = what("changed");
    writeFileSync(join(folder, "events", "1.json"), "{}");
    await news;
  });
});

describe("live", () => {
  it("ends when nothing was written for a while", async () => {
    const path = join(folder, "session.jsonl");
    writeFileSync(path, "{}\n");
    const { next } = follow(path, { watch: false, quiet: 150 });
    expect(await next((news) => news.live)).toEqual({ what: "same", live: true });
    expect(await next((news) => !news.live)).toEqual({ what: "same", live: false });
  });

  it("begins when an old file is written again", async () => {
    const path = join(folder, "session.jsonl");
    old(path);
    const { what } = follow(path, { watch: false });
    const news = what("changed");
    // Written until it is heard: the state at the beginning is no news.
    const writing = setInterval(() => appendFileSync(path, "{}\n"), 15);
    try {
      expect(await news).toEqual({ what: "changed", live: true });
    } finally {
      clearInterval(writing);
    }
  });

  it("is not told by a permission that was given, which is a reason to read again", async () => {
    const path = join(folder, "session.jsonl");
    old(path);
    chmodSync(path, 0);
    const { what } = follow(path, { watch: false });
    const news = what("changed");
    // Given again and again: the state at the beginning is no news.
    let mode = 0o600;
    const giving = setInterval(() => {
      mode = mode === 0o600 ? 0o640 : 0o600;
      chmodSync(path, mode);
    }, 15);
    try {
      expect(await news).toEqual({ what: "changed", live: false });
    } finally {
      clearInterval(giving);
    }
  });

  it("is not told by a time that lies ahead, but by a change that is met", async () => {
    const path = join(folder, "session.jsonl");
    writeFileSync(path, "{}\n");
    const ahead = new Date(Date.now() + 48 * HOUR_MS);
    utimesSync(path, ahead, ahead);
    const { next, what } = follow(path, { watch: false, quiet: 150 });
    const news = what("changed");
    // Every state has a time ahead, as on a server whose clock is wrong.
    let hours = 48;
    const writing = setInterval(() => {
      appendFileSync(path, "{}\n");
      const time = new Date(Date.now() + ++hours * HOUR_MS);
      utimesSync(path, time, time);
    }, 15);
    try {
      expect(await news).toEqual({ what: "changed", live: true });
    } finally {
      clearInterval(writing);
    }
    expect((await next(({ live }) => !live)).live).toBe(false);
  });

  it("a folder that cannot be watched is polled", async () => {
    const path = join(folder, "not-there", "session.jsonl");
    const { what } = follow(path, { watch: true });
    const news = what("changed");
    const writing = setInterval(() => {
      mkdirSync(join(folder, "not-there"), { recursive: true });
      appendFileSync(path, "{}\n");
    }, 15);
    try {
      expect((await news).live).toBe(true);
    } finally {
      clearInterval(writing);
    }
  });
});
