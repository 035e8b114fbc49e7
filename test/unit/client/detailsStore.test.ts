import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DetailsStore } from "../../../extension/src/client/sessions/detailsStore";
import { parseJson } from "../../../extension/src/core/util/partialJson";
import type { FoundSession } from "../../../extension/src/node/sessions/sessionScan";
import { TimeSlices } from "../../../extension/src/node/sessions/timeSlices";
import { HandTime } from "../node/scanFakes";

const folder = mkdtempSync(join(tmpdir(), "context-budget-details-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the store of details", () => {
  const session = (n: number): FoundSession => ({ path: `/p/${n}`, label: "", place: "", bytes: n, mtimeMs: n });
  const details = (n: number) => ({
    bytes: n,
    mtimeMs: n,
    project: `/w/${n}`,
    projectHash: undefined,
    title: "t",
    model: undefined,
    tail: { tokens: null, model: "m", window: 5 },
  });
  const slices = new TimeSlices(new HandTime());

  it("gives back what it was given, after a restart too", async () => {
    const path = join(folder, "sub", "store");
    const store = new DetailsStore(path, slices);
    store.put("/p/1", details(1));
    await store.save();
    const again = new DetailsStore(path, slices);
    await again.load();
    expect(again.last("/p/1")).toEqual(details(1));
    expect([again.isFresh(session(1)), again.isFresh({ ...session(1), bytes: 2 }), again.isFresh(session(2))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("removes what a window that ended left half written, and nothing else", async () => {
    const own = join(folder, "left");
    const path = join(own, "sessions");
    mkdirSync(own);
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of ["sessions.17", "sessions.bak", "other.17"]) {
      writeFileSync(join(own, name), "half");
      utimesSync(join(own, name), old, old);
    }
    writeFileSync(join(own, "sessions.18"), "another window writes");
    const store = new DetailsStore(path, slices);
    store.put("/p/1", details(1));
    await store.save();
    expect(readdirSync(own).sort()).toEqual(["other.17", "sessions", "sessions.18", "sessions.bak"]);
  });

  it("takes what is whole of a damaged file, and nothing of another version's", async () => {
    const path = join(folder, "damaged");
    const store = new DetailsStore(path, slices);
    for (let n = 0; n < 50; n++) store.put(`/p/${n}`, details(n));
    await store.save();
    const text = readFileSync(path, "utf8");
    for (let cut = 0; cut < text.length; cut += 97) {
      writeFileSync(path, text.slice(0, cut));
      const again = new DetailsStore(path, slices);
      await again.load();
      const whole = text
        .slice(0, cut)
        .split("\n")
        .slice(1)
        .filter((line) => parseJson(line) !== undefined);
      expect(again.size).toBe(whole.length);
    }
    for (const bad of ["", "x", text.replace(/\d+\n/, "99\n"), text.replaceAll('"/p/', "7,")]) {
      writeFileSync(path, bad);
      const again = new DetailsStore(path, slices);
      await again.load();
      expect(again.size).toBe(0);
    }
  });
});
