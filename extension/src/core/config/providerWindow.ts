import { pyTruth } from "../model/pyTruth";
import type { PyValue } from "../model/pyValue";
import { lenientInt } from "./budgets";
import { getAt, getItem, type PyDict } from "./pyDict";

/** Entries looked at; a config has a handful. */
const MAX_ENTRIES = 1_000;

interface Entry {
  readonly name: string;
  /** Name under `providers`; empty for one of the list. */
  readonly key: string;
  readonly url: string;
  readonly models: PyValue | undefined;
  /** As it is written in the file: `custom_providers[0]` or `providers.mine`. */
  readonly place: string;
}

/** A window that a provider's entry states. */
export interface ProviderWindow {
  readonly tokens: number;
  /** Dotted path of the number. */
  readonly place: string;
}

/**
 * Window of the model in use as a provider's entry states it: the first entry of `custom_providers`, then of `providers`, whose
 * address is the model's (or, where the model has none, whose name is its provider's), with a positive number under the
 * model's exact name. A `custom_providers` that is no list hides `providers` too. Source: `hermes_cli/config.py`,
 * `get_custom_provider_context_length` and `get_compatible_custom_providers`.
 * @param config merged and expanded, with the model's section in its one form.
 */
export function providerWindow(config: PyDict): ProviderWindow | undefined {
  const section = getAt(config, ["model"]);
  const name = textOf(section?.t === "dict" ? getItem(section, "default") : section);
  if (name === "") return undefined;
  const entries = entriesOf(config);
  const provider = section?.t === "dict" ? textOf(getItem(section, "provider")) : "";
  const url = (section?.t === "dict" ? textOf(getItem(section, "base_url")) : "") || urlOfProvider(entries, provider);
  if (url === "") return undefined;
  const route = routeOf(url);
  for (const { url: own, models, place } of entries) {
    if (routeOf(own) !== route) continue;
    const model = models === undefined ? undefined : getItem(models, name);
    const stated = model === undefined ? undefined : getItem(model, "context_length");
    const tokens = stated === undefined ? undefined : lenientInt(stated);
    if (tokens !== undefined && tokens > 0n)
      return { tokens: Number(tokens), place: `${place}.models.${name}.context_length` };
  }
  return undefined;
}

function textOf(value: PyValue | undefined): string {
  return value?.t === "str" ? value.v.trim() : "";
}

function entriesOf(config: PyDict): readonly Entry[] {
  const list = getItem(config, "custom_providers");
  if (list !== undefined && list.t !== "NoneType" && list.t !== "list") return [];
  const listed = (list?.t === "list" ? list.v : []).map((one, index) => entryOf(one, "", `custom_providers[${index}]`));
  const providers = getItem(config, "providers");
  const keyed = (providers?.t === "dict" ? providers.v : []).map(([key, one]) =>
    isEnabled(one) ? entryOf(one, textOf(key), `providers.${textOf(key)}`) : undefined,
  );
  return [...listed, ...keyed].slice(0, MAX_ENTRIES).flatMap((one) => one ?? []);
}

/** Only an `enabled` that says no hides an entry. */
function isEnabled(entry: PyValue): boolean {
  const flag = getItem(entry, "enabled");
  if (flag === undefined) return true;
  return flag.t === "str" ? !["false", "0", "no", "off"].includes(flag.v.trim().toLowerCase()) : pyTruth(flag);
}

/** Undefined for entries without an address or a name, which Hermes leaves out. */
function entryOf(entry: PyValue, key: string, place: string): Entry | undefined {
  const url = ["api", "url", "base_url", "baseUrl"]
    .map((name) => textOf(getItem(entry, name)))
    .find((one) => one !== "");
  const name = textOf(getItem(entry, "name")) || key;
  return url === undefined || name === "" ? undefined : { name, key, url, models: getItem(entry, "models"), place };
}

/** The address of the entry that a provider's name stands for, with or without `custom:` in front. */
function urlOfProvider(entries: readonly Entry[], provider: string): string {
  const plain = (name: string): string => name.trim().toLowerCase().replaceAll(" ", "-");
  const wanted = plain(provider).replace(/^custom:/, "");
  if (wanted === "" || wanted === "auto") return "";
  return entries.find(({ key, name }) => [plain(key), plain(name)].includes(wanted))?.url ?? "";
}

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?/i;

/** An address in the form in which two of them are compared: scheme and host in lower case, no usual port, no slash at the end. */
function routeOf(url: string): string {
  const [, scheme, user, host = "", path = "", query = ""] = ADDRESS.exec(url) ?? [];
  if (scheme === undefined) return url;
  const usual = scheme.toLowerCase() === "https" ? ":443" : scheme.toLowerCase() === "http" ? ":80" : "";
  const place = host.toLowerCase();
  const bare = usual !== "" && place.endsWith(usual) ? place.slice(0, -usual.length) : place;
  return `${scheme.toLowerCase()}://${user === undefined ? "" : `${user}@`}${bare}${path.replace(/\/$/, "")}${query}`;
}
