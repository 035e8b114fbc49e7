import { describe, expect, it } from "vitest";
import type { FileStatus } from "../../../../extension/src/core/model/fileStatus";
import type { Handle } from "../../../../extension/src/core/results/handles/handle";
import {
  DURABLE_MS,
  fileReadable,
  keptMsOf,
  type Moment,
  readableAt,
} from "../../../../extension/src/core/results/handles/readable";
import { storeHandle } from "./samples";

const HOUR = 3_600_000;
const SAVED = 1_786_636_800_000;
const SPILL = "/home/user/.hermes/cache/spillover/call_1.txt";
const now = (at: number): Moment => ({ kind: "now", at });

function one(handle: Partial<Handle>, moment: Moment): string {
  const [state] = readableAt([storeHandle(3, { savedAt: SAVED, ...handle })], moment);
  return `${state?.readable} ${state?.why}`;
}

describe("whether a handle can be read", () => {
  it("follows the store's rules for OpenMausBot, and the copy on disk of a summarised text", () => {
    expect(one({}, now(SAVED + HOUR - 1))).toBe("yes kept");
    expect(one({}, now(SAVED + HOUR))).toBe("no expired");
    expect(one({ durable: true }, now(SAVED + HOUR))).toBe("yes durable");
    expect(one({ durable: true }, now(SAVED + DURABLE_MS))).toBe("no expired");
    expect(one({ savedAt: null }, now(SAVED))).toBe("unknown no-time");
    expect(one({}, now(SAVED - 1))).toBe("unknown time-ahead");
    expect(one({ endAt: SAVED + HOUR }, { kind: "end" })).toBe("no expired");
    expect(one({}, { kind: "end" })).toBe("unknown no-time");
    expect(one({ lastReadAt: SAVED + 2 * HOUR, endAt: SAVED + 90 * 60_000 }, { kind: "end" })).toBe("yes read-later");
    expect(one({ call: 4 }, { kind: "call", thread: "main", call: 4, at: SAVED })).toBe("not-yet not-yet");
    expect(one({ call: 4 }, { kind: "call", thread: "main", call: 5, at: SAVED })).toBe("yes kept");
    expect(one({ call: 4 }, { kind: "call", thread: "other", call: 4, at: SAVED - 1 })).toBe("not-yet not-yet");
  });

  it("is told for hundreds of conversations of one database, each at its own end", () => {
    const greatest = { minUnits: 131_072, maxUnits: 131_072, minBytes: 3 * 131_072, maxBytes: 3 * 131_072 };
    const handles = Array.from({ length: 2_000 }, (_, row) => {
      const owner = `t${Math.floor(row / 5)}`;
      const endAt = SAVED + Math.floor(row / 5) * HOUR + 10_000;
      return storeHandle(row, { threadId: owner, owner, endAt, savedAt: endAt - 10_000 + (row % 5), kept: greatest });
    });
    const began = performance.now();
    const states = readableAt(handles, { kind: "end" });
    // With texts of that length in the place of their lengths it took minutes.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(new Set(states.map(({ why }) => why))).toEqual(new Set(["kept"]));
  });

  it("keeps the eight newest texts of an openhuman run", () => {
    const handles = Array.from({ length: 10 }, (_, row) =>
      storeHandle(row, { kind: "memory", kept: undefined, savedAt: null }),
    );
    const at = (moment: Moment): string =>
      readableAt(handles, moment)
        .map(({ readable }) => readable[0])
        .join("");
    expect(at({ kind: "end" })).toBe("nnyyyyyyyy");
    expect(at(now(SAVED))).toBe("nnuuuuuuuu");
    expect(at({ kind: "call", thread: "main", call: 10, at: undefined })).toBe("nyyyyyyyyn");
  });

  const file = (status: FileStatus, moment: Moment, name = SPILL, writtenAt = SAVED): string => {
    const handle = storeHandle(0, { kind: "file", name, savedAt: SAVED, endAt: SAVED + 5 * HOUR });
    const { readable, why } = fileReadable(handle, moment, { status, writtenAt });
    return `${readable} ${why}`;
  };

  it("looks at the file for now, and at file and rule for a moment before", () => {
    const DAY = 24 * HOUR;
    expect(file("ok", now(SAVED + 9 * DAY))).toBe("yes file-there");
    expect(file("size-differs", now(SAVED))).toBe("yes file-changed");
    expect(file("expired", now(SAVED))).toBe("no file-gone");
    expect(file("missing", now(SAVED))).toBe("no file-gone");
    expect(file("sandbox", now(SAVED))).toBe("unknown file-elsewhere");
    expect(file("outside", now(SAVED))).toBe("unknown file-unchecked");
    expect(file("missing", { kind: "end" })).toBe("yes kept-by-rule");
    expect(file("ok", { kind: "call", thread: "x", call: 1, at: SAVED + 2 * DAY })).toBe("yes file-there");
    expect(file("ok", { kind: "call", thread: "x", call: 1, at: SAVED + 2 * DAY }, SPILL, SAVED + 3 * DAY)).toBe(
      "no past-rule",
    );
    expect(file("missing", { kind: "call", thread: "x", call: 1, at: SAVED + 2 * DAY })).toBe("no past-rule");
    expect(file("missing", { kind: "end" }, "/home/u/.claude/projects/p/s/tool-results/toolu_1.txt")).toBe(
      "unknown no-rule",
    );
    expect(file("missing", { kind: "call", thread: "x", call: 1, at: SAVED - 1 })).toBe("not-yet not-yet");
  });

  it("knows how long a folder of Hermes is kept by the path alone", () => {
    expect(keptMsOf(SPILL)).toBe(24 * HOUR);
    expect(keptMsOf("C:\\Users\\a\\.hermes\\cache\\terminal-output\\out-1.log")).toBe(7 * 24 * HOUR);
    expect(keptMsOf("/tmp/hermes-results/x.txt")).toBeUndefined();
    expect(keptMsOf("spillover")).toBeUndefined();
  });
});
