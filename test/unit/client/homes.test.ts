import { describe, expect, it } from "vitest";
import {
  claudeProjectFolders,
  type HomesInput,
  hermesHomes,
  machineHermesHome,
} from "../../../extension/src/client/homes";

const LINUX: HomesInput = { env: {}, platform: "linux", userHome: "/home/dana", extra: [], workspaceFolders: [] };

describe("hermesHomes", () => {
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
      { platform: "win32", userHome: "C:\\Users\\dana", env: { LOCALAPPDATA: "C:\\Users\\dana\\AppData\\Local" } },
      ["C:\\Users\\dana\\AppData\\Local\\hermes"],
    ],
    [
      "Windows without LOCALAPPDATA",
      { platform: "win32", userHome: "C:\\Users\\dana" },
      ["C:\\Users\\dana\\AppData\\Local\\hermes"],
    ],
  ])("%s", (_name, change, expected) => {
    expect(hermesHomes({ ...LINUX, ...change })).toEqual(expected);
  });

  it("names the one home that an agent would use", () => {
    expect(machineHermesHome({ ...LINUX, env: { HERMES_HOME: "~/h" } })).toBe("/home/dana/h");
  });
});

describe("claudeProjectFolders", () => {
  it("knows both default places and the environment's", () => {
    expect(claudeProjectFolders({ ...LINUX, env: { CLAUDE_CONFIG_DIR: "/cc" } })).toEqual([
      "/cc/projects",
      "/home/dana/.claude/projects",
      "/home/dana/.config/claude/projects",
    ]);
  });
});
