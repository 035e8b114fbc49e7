import { describe, expect, it } from "vitest";
import { type LocalFiles, NO_FILES, SurroundingsFinder } from "../../../extension/src/core/config/surroundings";

type World = Readonly<Record<string, string | null>>;

/** null: a file that is there and cannot be read. Folders follow from the paths. */
function finder(files: World, env: Readonly<Record<string, string>> = {}) {
  const reads: string[] = [];
  const local: LocalFiles = {
    stamp: (path) =>
      path in files || Object.keys(files).some((file) => file.startsWith(`${path}/`)) ? `${files[path]}` : undefined,
    read: (path) => {
      reads.push(path);
      return files[path] ?? undefined;
    },
    list: () => [],
  };
  return { reads, finder: new SurroundingsFinder({ env, envName: "the environment", local }) };
}

const HOME = "/home/u/.hermes/config.yaml";

describe("what lies around a config", () => {
  it("takes the managed .env before the home's, and that before the environment", () => {
    const files = { "/home/u/.hermes/.env": "A=home\nB=home\n", "/etc/hermes/.env": "A=managed\n" };
    const { environment } = finder(files, { A: "process", B: "process", C: "process" }).finder.of(HOME, "ruamel");
    expect(["A", "B", "C", "D"].map((name) => environment.get(name))).toEqual([
      { value: "managed", source: "/etc/hermes/.env" },
      { value: "home", source: "the .env beside this file" },
      { value: "process", source: "the environment" },
      undefined,
    ]);
  });

  it("names the profile whose .env it is", () => {
    const files = { "/home/u/.hermes/profiles/work/.env": "A=1" };
    const { environment } = finder(files).finder.of("/home/u/.hermes/profiles/work/config.yaml", "ruamel");
    expect(environment.get("A")?.source).toBe("the .env of the profile work");
  });

  it("does without a .env that cannot be read, and says so", () => {
    const found = finder({ "/home/u/.hermes/.env": null }, { A: "1" }).finder.of(HOME, "ruamel");
    expect(found.envFile).toEqual({ path: "/home/u/.hermes/.env", exists: false });
    expect(found.environment.get("A")?.value).toBe("1");
  });

  it("does without a managed layer that cannot be read", () => {
    const found = finder({ "/etc/hermes/config.yaml": null }).finder.of(HOME, "ruamel");
    expect(found.managed).toBeUndefined();
    expect(found.managedFile).toEqual({ path: "/etc/hermes/config.yaml", exists: false });
  });

  it("looks into HERMES_MANAGED_DIR only where that folder is there", () => {
    const files = { "/srv/m/config.yaml": "a: 1\n" };
    const at = (dir: string) => finder(files, { HERMES_MANAGED_DIR: dir }).finder.of(HOME, "ruamel").managedFile;
    expect(at(" /srv/m// ")).toEqual({ path: "/srv/m/config.yaml", exists: true });
    expect(at("/srv/none")).toEqual({ path: "/etc/hermes/config.yaml", exists: false });
  });

  it("reads a file again only when it changed", () => {
    const files: Record<string, string> = { "/home/u/.hermes/.env": "A=1" };
    const { finder: same, reads } = finder(files);
    same.of(HOME, "ruamel");
    same.of(HOME, "ruamel");
    expect(reads).toEqual(["/home/u/.hermes/.env"]);
    files["/home/u/.hermes/.env"] = "A=2";
    expect(same.of(HOME, "ruamel").environment.get("A")?.value).toBe("2");
  });

  it("finds nothing where nothing may be looked at", () => {
    const none = new SurroundingsFinder({ env: {}, envName: "the environment", local: NO_FILES }).of(HOME, "ruamel");
    expect([none.managed, none.envFile?.exists, none.managedFile.exists]).toEqual([undefined, false, false]);
  });
});
