import { Minimatch } from "minimatch";
import { withoutTrailing } from "../core/util/withoutTrailing";

/** Decides by place which documents are an agent's config. Paths are compared with forward slashes, on Windows without case. */
export class ConfigFiles {
  readonly #homes: readonly string[];
  readonly #patterns: readonly Minimatch[];
  readonly #windows: boolean;

  constructor(homes: readonly string[], globs: readonly string[], windows: boolean) {
    this.#windows = windows;
    this.#homes = homes.map((home) => withoutTrailing(this.#normal(home), "/")).filter((home) => home !== "");
    this.#patterns = globs.map(
      (glob) =>
        new Minimatch(anchored(this.#normal(glob)), { dot: true, nocase: windows, nonegate: true, nocomment: true }),
    );
  }

  /** True for `config.yaml` of a Hermes home or profile, `.hermes/config.yaml` of any folder, and files that a setting names. */
  includes(uri: string): boolean {
    const path = addressPath(uri);
    const normal = this.#normal(path);
    const folder = homeOf(normal);
    if (folder !== undefined && (folder.endsWith("/.hermes") || this.#homes.includes(folder))) return true;
    return this.#patterns.some((pattern) => pattern.match(normal));
  }

  #normal(path: string): string {
    return this.#windows ? path.replaceAll("\\", "/").toLowerCase() : path;
  }
}

/** A pattern that names no folder from the root on matches at any depth, as in `files.exclude`. */
function anchored(glob: string): string {
  return glob.startsWith("/") || glob.startsWith("**/") || /^[a-z]:\//.test(glob) ? glob : `**/${glob}`;
}

/** The home that a `config.yaml` belongs to, profiles included; undefined for other files. */
function homeOf(path: string): string | undefined {
  const match = /^(.*?)(?:\/profiles\/[^/]+)?\/config\.ya?ml$/.exec(path);
  return match?.[1];
}

/**
 * Decoded path of a `file:` address on this machine, `C:/…` on Windows; undefined for anything else. With a host (`file://host/share`)
 * the file lies on another machine, and nothing is read over the network.
 */
export function filePath(uri: string): string | undefined {
  return /^file:\/\/(?:localhost)?\//.test(uri) ? addressPath(uri) : undefined;
}

/** Decoded path of an address of any scheme, without its host. */
function addressPath(uri: string): string {
  const path = uri.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?/i, "").replace(/[?#].*$/s, "");
  try {
    return decodeURIComponent(path).replace(/^\/([A-Za-z]:)/, "$1");
  } catch (error) {
    // A stray percent sign: no client writes such an address, so take the text as it is.
    if (error instanceof URIError) return path;
    throw error;
  }
}
