import { describe, expect, it } from "vitest";
import { type Memento, MovedHomes } from "../../../extension/src/client/movedHomes";
import { allHermesHomes, type HomesInput, machineHermesHomes, placesOf } from "../../../extension/src/node/homes";
import { memoryFiles } from "../client/fakes";

const LINUX: HomesInput = {
  env: {},
  platform: "linux",
  homeFolder: "/home/dana",
  tempFolder: "/tmp",
  extra: [],
  workspaceFolders: [],
  added: [],
};

describe("allHermesHomes", () => {
  it.each<[string, Partial<HomesInput>, readonly string[]]>([
    ["platform default", {}, ["/home/dana/.hermes"]],
    ["suffix", { env: { HERMES_DATA_DIR_SUFFIX: "-dev" } }, ["/home/dana/.hermes-dev"]],
    ["environment, trimmed", { env: { HERMES_HOME: "  /srv/hermes/ " } }, ["/srv/hermes"]],
    ["blank environment counts as unset", { env: { HERMES_HOME: "  " } }, ["/home/dana/.hermes"]],
    [
      "own homes and open folders, most specific first",
      { extra: ["~/old/.hermes", "relative"], workspaceFolders: ["/w/very/deep/project"] },
      ["/w/very/deep/project/.hermes", "/home/dana/old/.hermes", "/home/dana/.hermes"],
    ],
    ["no repeats", { extra: ["/home/dana/.hermes/", "~/.hermes"] }, ["/home/dana/.hermes"]],
    [
      "Windows",
      { platform: "win32", homeFolder: "C:\\Users\\dana", env: { LOCALAPPDATA: "C:\\Users\\dana\\AppData\\Local" } },
      ["C:\\Users\\dana\\AppData\\Local\\hermes"],
    ],
  ])("%s", (_name, change, expected) => {
    expect(allHermesHomes({ ...LINUX, ...change })).toEqual(expected);
  });
});

describe("what counts as known", () => {
  const input = { ...LINUX, extra: ["/data/h"], workspaceFolders: ["/w/stranger"] };

  it("lists the user's own homes, never those of an open folder", () => {
    expect(machineHermesHomes(input)).toEqual(["/home/dana/.hermes", "/data/h"]);
  });

  it("trusts spill folders of the user's own homes and their profiles, never those of an open folder", async () => {
    const files = memoryFiles({
      "/data/h/profiles/night/config.yaml": [1, 1],
      "/w/stranger/.hermes/config.yaml": [1, 1],
    });
    const places = await placesOf(input, files);
    expect(places.hermesHomes).toEqual(["/home/dana/.hermes", "/data/h", "/data/h/profiles/night"]);
  });
});

describe("MovedHomes", () => {
  it("remembers by the transcript's folder, replaces, and ignores what is not its own", async () => {
    const stored = new Map<string, unknown>([["movedHomes", [["/a", 3], "x", ["/b", "/chosen"]]]]);
    const memento: Memento = {
      get: <T>(key: string) => stored.get(key) as T | undefined,
      update: async (key, value) => void stored.set(key, value),
    };
    const moved = new MovedHomes(memento);
    expect(moved.get("/b/1.jsonl")).toBe("/chosen");
    await moved.set("/b/2.jsonl", "/other");
    await moved.set("/c/1.jsonl", "/third");
    expect([moved.get("/b/1.jsonl"), moved.get("/c/9.jsonl"), moved.get("/a/1.jsonl")]).toEqual([
      "/other",
      "/third",
      undefined,
    ]);
  });
});
