import { type At, below } from "../builder";
import { own } from "../json";

/** Keys that reach into every object when they are set. */
const REFUSED = new Set(["__proto__", "constructor", "prototype"]);
type Container = { [key: string | number]: unknown };

/**
 * Replays VS Code's chat log: kind 0 replaces the whole value, 1 sets, 2 appends to a list (after cutting it to length
 * `i`), 3 deletes. Remembers for each value in which record it lies. The values must hold real texts.
 */
export class MutationLog {
  private root: unknown;
  private rootAt: At | undefined;
  private readonly origins = new WeakMap<object, At>();
  private readonly set = new WeakMap<object, Map<string | number, At>>();

  get value(): unknown {
    return this.root;
  }

  /** Applies one record; false when it cannot be applied (a path that leads nowhere, or a refused key). */
  apply(kind: unknown, path: unknown, value: unknown, cut: unknown, at: At): boolean {
    if (kind === 0) {
      this.root = value;
      this.rootAt = at;
      this.note(value, at);
      return true;
    }
    if (!Array.isArray(path) || path.length === 0 || !path.every(isKey)) return false;
    const parent = path.slice(0, -1).reduce<unknown>((inner, key) => own(inner, key), this.root);
    const last = path.at(-1) ?? "";
    if (!isContainer(parent)) return false;
    if (kind === 1) this.put(parent, last, value, at);
    else if (kind === 2) return this.append(parent, last, value, cut, at);
    else if (kind === 3) delete parent[last];
    else return false;
    return true;
  }

  /** Where the value under a path lies. */
  locate(path: readonly (string | number)[]): At | undefined {
    let at = this.rootAt;
    let value = this.root;
    for (const key of path) {
      if (at === undefined) return undefined;
      const moved = typeof value === "object" && value !== null ? this.set.get(value)?.get(key) : undefined;
      value = own(value, key);
      const origin = typeof value === "object" && value !== null ? this.origins.get(value) : undefined;
      at = moved ?? origin ?? below(at, key);
    }
    return at;
  }

  private append(parent: Container, key: string | number, value: unknown, cut: unknown, at: At): boolean {
    const existing = own(parent, key);
    if (existing !== undefined && !Array.isArray(existing)) return false;
    const list: unknown[] = existing ?? [];
    if (existing === undefined) this.put(parent, key, list, at);
    if (typeof cut === "number" && Number.isInteger(cut) && cut >= 0 && cut < list.length) list.length = cut;
    const added: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    added.forEach((item, i) => {
      const itemAt = Array.isArray(value) ? below(at, i) : at;
      this.put(list as unknown as Container, list.length, item, itemAt);
    });
    return true;
  }

  private put(parent: Container, key: string | number, value: unknown, at: At): void {
    parent[key] = value;
    let keys = this.set.get(parent);
    if (keys === undefined) {
      keys = new Map();
      this.set.set(parent, keys);
    }
    keys.set(key, at);
    this.note(value, at);
  }

  /** Only the top of a value is noted; what lies below follows from the path. */
  private note(value: unknown, at: At): void {
    if (typeof value === "object" && value !== null) this.origins.set(value, at);
  }
}

function isKey(key: unknown): key is string | number {
  if (typeof key === "number") return Number.isInteger(key) && key >= 0;
  return typeof key === "string" && !REFUSED.has(key);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
