import { describe, expect, it } from "vitest";
import { ConfigFiles, filePath } from "../../../extension/src/server/configFiles";

describe("ConfigFiles", () => {
  it.each<[string, boolean]>([
    ["file:///srv/home/config.yaml", true],
    ["file:///srv/home/profiles/a%20b/config.yaml", true],
    ["file:///srv/home/profiles/a/b/config.yaml", false],
    ["file:///srv/home/other.yaml", false],
    ["file:///srv/HOME/config.yaml", false],
    ["file:///w/.hermes/config.yaml", true],
    ["file:///w/x.hermes/config.yaml", false],
    ["file:///w/agents/one.yaml", true],
    ["file:///w/deep/agents/one.yaml", true],
    ["file:///w/agents/deep/one.yaml", false],
    ["file:///abs/two.yml", true],
    ["file:///w/%zz/config.yaml", false],
    ["untitled:config.yaml", false],
    ["vscode-vfs://github/owner/repository/.hermes/config.yaml", true],
    ["vscode-vfs://github/owner/repository/config.yaml", false],
    ["memfs:/w/agents/one.yaml", true],
    ["file://host/share/.hermes/config.yaml", true],
  ])("%s: %s", (uri, expected) => {
    expect(new ConfigFiles(["/srv/home/"], ["agents/*.yaml", "/abs/*.yml"], false).includes(uri)).toBe(expected);
  });

  it.each([
    "file:///c%3A/Users/X/AppData/Local/Hermes/config.yaml",
    "file:///C:/users/x/appdata/local/hermes/profiles/p/config.yaml",
    "file:///d%3A/Agents/one.yaml",
  ])("on Windows without case: %s", (uri) => {
    const files = new ConfigFiles(["C:\\Users\\x\\AppData\\Local\\hermes"], ["D:\\agents\\*.yaml"], true);
    expect(files.includes(uri)).toBe(true);
  });
});

describe("filePath", () => {
  it.each([
    ["file:///w/a%20b.yaml", "/w/a b.yaml"],
    ["file://localhost/w/a.yaml", "/w/a.yaml"],
    ["file:///c%3A/w/a.yaml", "C:/w/a.yaml"],
    // Files of other machines and of no machine have nothing beside them that is read.
    ["file://host/share/.hermes/config.yaml", undefined],
    ["file://", undefined],
    ["vscode-vfs://github/o/r/.hermes/config.yaml", undefined],
    ["untitled:/w/.hermes/config.yaml", undefined],
  ])("%s: %s", (uri, path) => {
    expect(filePath(uri)?.replace(/^c:/, "C:")).toBe(path);
  });
});
