import { effectiveConfig } from "../core/config/effective";
import { type LocalFiles, NO_FILES, type Surroundings, type SurroundingsFinder } from "../core/config/surroundings";
import type { LoaderId } from "../core/model/loader";
import { loadYaml } from "../core/yaml/load";
import type { OtherConfig } from "./explain/settingTables";
import type { ConfigPlace } from "./explainConfig";

/** Profiles whose configs are compared; a home has a handful. */
const MAX_PROFILES = 20;
/** Newest copies of a config that are tried. */
const MAX_BACKUPS = 5;
/** Names of profiles and backups looked at. */
const MAX_NAMES = 10_000;

/** Where a config lies, its copies, and the other profiles of its home. @param path undefined for documents that are no files. */
export function configPlace(
  path: string | undefined,
  around: Surroundings,
  finder: SurroundingsFinder,
  local: LocalFiles,
  loader: LoaderId,
): ConfigPlace {
  const files = { envFile: around.envFile, managedFile: around.managedFile };
  const alone = {
    path: path ?? "the unsaved document",
    profile: undefined,
    backups: [],
    others: [],
    othersLeftOut: 0,
    activeProfile: undefined,
    lockedBy: around.lockedBy,
    restricted: local === NO_FILES,
  };
  const match = path === undefined ? null : /^(.*?)(?:\/profiles\/([^/]+))?\/config\.ya?ml$/.exec(path);
  const root = match?.[1];
  if (path === undefined || root === undefined) return { ...alone, ...files };
  const profile = match?.[2];
  const folder = path.replace(/\/[^/]*$/, "");
  const backups = local
    .list(`${folder}/backups/config`)
    .slice(0, MAX_NAMES)
    .toSorted()
    .toReversed()
    .slice(0, MAX_BACKUPS)
    .map((name) => `${folder}/backups/config/${name}`)
    .filter((copy) => isGood(local.read(copy), loader));
  const activeProfile = local.read(`${root}/active_profile`)?.trim().split(/\s/, 1)[0] || "default";
  const names = local
    .list(`${root}/profiles`)
    .slice(0, MAX_NAMES)
    .filter((name) => !name.startsWith(".") && name !== profile)
    .toSorted();
  // The active one comes first, so that it is looked at however many there are.
  const active = names.filter((name) => name === activeProfile);
  const looked = [...active, ...names.filter((name) => name !== activeProfile)].slice(0, MAX_PROFILES);
  const others = [
    ...(profile === undefined ? [] : otherConfig("default", root, finder, local, loader)),
    ...looked.flatMap((name) => otherConfig(name, `${root}/profiles/${name}`, finder, local, loader)),
  ];
  const marker = `${folder}/.managed`;
  const lockedBy = around.lockedBy ?? (local.stamp(marker) === undefined ? undefined : marker);
  return {
    path,
    profile,
    ...files,
    backups,
    others,
    othersLeftOut: names.length - looked.length,
    activeProfile,
    lockedBy,
    restricted: local === NO_FILES,
  };
}

/** A copy counts if it loads and its root is a mapping. */
function isGood(text: string | undefined, loader: LoaderId): boolean {
  if (text === undefined) return false;
  const load = loadYaml(text, loader);
  return load.value?.t === "dict" && !load.recursive;
}

/** Nothing where the home has no config. */
function otherConfig(
  name: string,
  home: string,
  finder: SurroundingsFinder,
  local: LocalFiles,
  loader: LoaderId,
): readonly OtherConfig[] {
  const path = `${home}/config.yaml`;
  const text = local.read(path);
  if (text === undefined) return [];
  const { environment, managed } = finder.of(path, loader);
  const config = effectiveConfig({ user: loadYaml(text, loader), environment, managed });
  const loads = config.outcome === "merged" || config.outcome === "empty";
  return [{ name, config: loads ? config : undefined }];
}
