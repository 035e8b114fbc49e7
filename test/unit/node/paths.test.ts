import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodeFiles } from "../../../extension/src/node/files";
import {
  claudeProjects,
  defaultHermesHome,
  type Environment,
  hermesHome,
  hermesHomes,
  knownPlaces,
} from "../../../extension/src/node/paths";

const folder = mkdtempSync(join(tmpdir(), "cbi-paths-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function linux(env: Environment["env"] = {}, homeFolder = "/home/u"): Environment {
  return { env, platform: "linux", homeFolder, tempFolder: "/tmp" };
}

function windows(env: Environment["env"] = {}): Environment {
  return { env, platform: "win32", homeFolder: "C:\\Users\\u", tempFolder: "C:\\Temp" };
}

describe("the agents' homes", () => {
  it.each([
    [linux(), "/home/u/.hermes"],
    [linux({ HERMES_HOME: "  /srv/h  " }), "/srv/h"],
    [linux({ HERMES_HOME: "   " }), "/home/u/.hermes"],
    [linux({ HERMES_DATA_DIR_SUFFIX: "-dev" }), "/home/u/.hermes-dev"],
    [linux({ HERMES_HOME: "/srv/h", HERMES_DATA_DIR_SUFFIX: "-dev" }), "/srv/h"],
    [windows({ LOCALAPPDATA: "D:\\Local", HERMES_DATA_DIR_SUFFIX: "2" }), "D:\\Local\\hermes2"],
    [windows(), "C:\\Users\\u\\AppData\\Local\\hermes"],
  ])("Hermes %#", (environment, home) => {
    expect(hermesHome(environment)).toBe(home);
  });

  it("the default stays known beside HERMES_HOME", () => {
    expect(defaultHermesHome(linux({ HERMES_HOME: "/srv/h" }))).toBe("/home/u/.hermes");
  });

  it("profiles are homes, tombstones are not", async () => {
    mkdirSync(join(folder, ".hermes", "profiles", "work"), { recursive: true });
    mkdirSync(join(folder, ".hermes", "profiles", ".deleted", "old"), { recursive: true });
    mkdirSync(join(folder, "other", "profiles", "x"), { recursive: true });
    const homes = await hermesHomes(linux({ HERMES_HOME: join(folder, "other") }, folder), nodeFiles);
    expect(homes).toEqual([
      join(folder, "other"),
      join(folder, "other", "profiles", "x"),
      join(folder, ".hermes"),
      join(folder, ".hermes", "profiles", "work"),
    ]);
  });

  it("Claude Code's projects", () => {
    expect(claudeProjects(linux())).toEqual(["/home/u/.claude/projects", "/home/u/.config/claude/projects"]);
    expect(claudeProjects(linux({ CLAUDE_CONFIG_DIR: "/c" }))).toEqual(["/c/projects"]);
    expect(claudeProjects(windows())[0]).toBe("C:\\Users\\u\\.claude\\projects");
  });

  it("all of it at once", async () => {
    expect(await knownPlaces(linux({}, join(folder, "nobody")), nodeFiles)).toEqual({
      homeFolder: join(folder, "nobody"),
      tempFolders: ["/tmp"],
      hermesHomes: [join(folder, "nobody", ".hermes")],
      claudeProjects: [join(folder, "nobody", ".claude/projects"), join(folder, "nobody", ".config/claude/projects")],
    });
  });
});
