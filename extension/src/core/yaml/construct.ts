import { pyHashKey, pyRepr } from "../model/pyRepr";
import type { PyValue } from "../model/pyValue";
import { PY_NONE } from "../model/pyValue";
import { pushAll } from "../util/pushAll";
import { constructPairs, MergeFlattener } from "./merge";
import { type BuiltMap, type BuiltNode, target } from "./nodes";
import { type RaiseKind, YamlRaise } from "./raise";
import { TAG } from "./resolve";
import {
  isRefusal,
  type Made,
  makeBinary,
  makeBool,
  makeFloat,
  makeInt,
  makeTimestamp,
  type ScalarMaker,
  staysText,
} from "./scalars";
import type { YamlNode, YamlPair } from "./types";

type Entry = [PyValue, PyValue];
type Filler = () => void;

/** Nodes inside one another while one is made; Python gives up by its recursion limit before that. */
const MAX_RECURSION = 1000;

/**
 * Tree to Python values, step by step as the loaders do it: containers exist before they are filled, so that an alias
 * may point back into its own container. Sources: constructor.py of PyYAML 6.0 and of ruamel.yaml 0.17.21.
 */
export class Constructor {
  private readonly values = new Map<YamlNode, PyValue>();
  private readonly underway = new Set<YamlNode>();
  private fillers: Filler[] = [];
  private deep = false;
  private readonly flattener: MergeFlattener;
  private readonly identities = new Map<PyValue, number>();
  private readonly ruamel: boolean;

  constructor(private readonly maker: ScalarMaker) {
    this.ruamel = maker !== "pyyaml";
    this.flattener = new MergeFlattener(this.ruamel);
  }

  /** Throws YamlRaise. */
  document(root: BuiltNode): PyValue {
    const value = this.object(root, false);
    while (this.fillers.length > 0) {
      const batch = this.fillers;
      this.fillers = [];
      for (const fill of batch) fill();
    }
    return value;
  }

  found(): { values: ReadonlyMap<YamlNode, PyValue>; effective: ReadonlyMap<YamlNode, readonly YamlPair[]> } {
    return { values: this.values, effective: this.flattener.effective };
  }

  private raise(what: string, node: YamlNode, kind: RaiseKind = "yaml", code = "yaml-construct"): never {
    throw new YamlRaise(code, what, { start: node.outerStart, end: node.end }, kind);
  }

  private object(written: YamlNode, deep: boolean): PyValue {
    const node = target(written);
    const known = this.values.get(node);
    if (known !== undefined) return known;
    const before = this.deep;
    if (deep) this.deep = true;
    if (this.underway.has(node)) {
      // ruamel goes on with None, and its deep mode stays on.
      if (this.ruamel) return PY_NONE;
      this.raise("This alias stands inside the very key it names. Write the key out.", node);
    }
    if (this.underway.size >= MAX_RECURSION)
      this.raise("Aliases and keys are nested too deep here. Use fewer of them.", node, "python", "yaml-limit");
    this.underway.add(node);
    const value = this.make(node);
    this.values.set(node, value);
    this.underway.delete(node);
    if (deep) this.deep = before;
    return value;
  }

  private make(node: BuiltNode): PyValue {
    switch (node.resolved) {
      case TAG.map:
        return this.dict(node);
      case TAG.seq:
        return this.list(node);
      case TAG.set:
        return this.set(node);
      case TAG.omap:
        return this.ruamel ? this.orderedDict(node) : this.pairs(node);
      case TAG.pairs:
        return this.pairs(node);
      default:
        return this.scalar(node);
    }
  }

  /** The text a scalar constructor works on: a mapping may stand in for its `=` entry. */
  private scalarText(written: YamlNode): string {
    let node = target(written);
    for (let depth = 0; node.kind === "map" && depth < MAX_RECURSION; depth++) {
      const stand = this.flattener.pairsOf(node).find(({ key }) => target(key).resolved === TAG.value);
      if (stand === undefined) break;
      node = target(stand.value);
    }
    if (node.kind === "scalar") return node.text;
    return this.raise(`A ${kindName(node)} cannot have this tag. Remove the tag.`, node, "yaml");
  }

  private scalar(node: BuiltNode): PyValue {
    const value = this.scalarValue(node);
    if (node.kind === "scalar") node.value = value;
    return value;
  }

  private scalarValue(node: BuiltNode): PyValue {
    const own = node.kind === "scalar" ? node.text : undefined;
    switch (node.resolved) {
      case TAG.str:
        if (node.kind === "scalar" && node.apart.length > 0) return { t: "str", v: node.text, apart: node.apart };
        return { t: "str", v: this.scalarText(node) };
      case TAG.null:
        this.scalarText(node);
        return PY_NONE;
      case TAG.int:
        return this.checked(makeInt(this.scalarText(node), this.maker), node);
      case TAG.float:
        if (own !== undefined && staysText(own, this.maker)) return { t: "str", v: own };
        return this.checked(makeFloat(this.scalarText(node), this.maker), node);
      case TAG.bool:
        return this.checked(makeBool(this.scalarText(node), this.maker), node);
      case TAG.binary:
        return this.checked(makeBinary(this.scalarText(node)), node);
      case TAG.timestamp:
        if (own !== undefined) return this.checked(makeTimestamp(own, this.maker), node);
        // Both loaders look at the node itself, not at its `=` entry; PyYAML fails with a TypeError.
        if (!this.ruamel) this.scalarText(node);
        return this.raise("Only a text can be a timestamp. Remove the tag.", node, this.ruamel ? "yaml" : "python");
      default:
        return this.failTag(node);
    }
  }

  private failTag(node: BuiltNode): never {
    if (node.resolved === TAG.merge || node.resolved === TAG.value)
      return this.raise(
        `The agent cannot read a plain ${node.resolved === TAG.merge ? "<<" : "="} here. Put it in quotes.`,
        node,
      );
    return this.raise(`The agent knows no tag ${node.tag ?? node.resolved}. Remove the tag.`, node, "yaml", "yaml-tag");
  }

  private checked(made: Made, node: YamlNode): PyValue {
    return isRefusal(made) ? this.raise(made.what, node, made.kind, made.code) : made;
  }

  /** Fills now or after the rest of the round, as Python's generators do. */
  private later(fill: Filler): void {
    if (this.deep) fill();
    else this.fillers.push(fill);
  }

  private list(node: BuiltNode): PyValue {
    const items: PyValue[] = [];
    this.later(() => {
      if (node.kind !== "seq") this.raise(`!!seq needs a list, not a ${kindName(node)}. Remove the tag.`, node);
      for (const item of node.items) items.push(this.object(item, false));
    });
    return { t: "list", v: items };
  }

  private dict(node: BuiltNode): PyValue {
    const entries: Entry[] = [];
    this.later(() => {
      pushAll(entries, this.mapping(node, "!!map"));
    });
    return { t: "dict", v: entries };
  }

  private set(node: BuiltNode): PyValue {
    const items: PyValue[] = [];
    this.later(() => {
      for (const [key] of this.mapping(node, "!!set")) items.push(key);
    });
    return { t: "set", v: items };
  }

  private mapping(node: BuiltNode, tag: string): Entry[] {
    if (node.kind !== "map")
      return this.raise(`${tag} needs a mapping, not a ${kindName(node)}. Remove the tag.`, node);
    const map = node;
    const { pairs, merged } = this.flattener.flatten(map);
    const dict = new DictBuilder();
    for (const pair of pairs) {
      const key = this.key(pair.key, map);
      const value = this.object(pair.value, false);
      // With merge keys in it, ruamel checks a mapping no more.
      const duplicate = dict.put(key.hash, key.value, value);
      if (duplicate && this.ruamel && !merged) this.failDuplicate(pair.key, map);
    }
    return dict.entries;
  }

  private failDuplicate(key: YamlNode, map: BuiltMap): never {
    const shown = pyRepr(this.values.get(target(key)) ?? PY_NONE).slice(0, 80);
    const first = map.pairs.find(
      (pair) => pair.key !== key && this.hash(this.object(pair.key, true)) === this.hash(this.object(key, true)),
    );
    const text = first !== undefined && first.key.kind === "scalar" ? first.key.text : undefined;
    const same =
      text === undefined || (key.kind === "scalar" && key.text === text)
        ? ""
        : `, which Python takes for the same as ${text}`;
    return this.raise(
      `The key ${shown} is given twice in this mapping${same}. Remove one of the two.`,
      key,
      "yaml",
      "yaml-duplicate-key",
    );
  }

  private key(written: YamlNode, map: BuiltMap): { value: PyValue; hash: string } {
    let value = this.object(written, this.ruamel);
    // A copy: an alias may name a list that is filled only later, and Python's tuple() does not see that.
    if (this.ruamel && value.t === "list") value = { t: "tuple", v: [...value.v] };
    if (value.t === "list" || value.t === "dict" || value.t === "set" || value.t === "other")
      this.raise(
        "A list or mapping cannot be a key. Put the key in quotes.",
        written.end > written.start ? written : map,
      );
    const hash = this.hash(value);
    if (hash === undefined)
      this.raise("A list or mapping cannot be part of a key. Put the key in quotes.", written, "python");
    return { value, hash };
  }

  private hash(value: PyValue): string | undefined {
    return pyHashKey(value, (nan) => this.identity(nan));
  }

  private identity(value: PyValue): number {
    const known = this.identities.get(value);
    if (known !== undefined) return known;
    this.identities.set(value, this.identities.size);
    return this.identities.size - 1;
  }

  private pairs(node: BuiltNode): PyValue {
    const items: PyValue[] = [];
    this.later(() => {
      for (const { key, value } of constructPairs(node, this.flattener)) {
        const first = this.object(key, false);
        items.push({ t: "tuple", v: [first, this.object(value, false)] });
      }
    });
    return { t: "list", v: items };
  }

  private orderedDict(node: BuiltNode): PyValue {
    const entries: Entry[] = [];
    const hashes = new Set<string>();
    this.later(() => {
      for (const { key, value } of constructPairs(node, this.flattener)) {
        const first = this.object(key, false);
        const hash = this.hash(first);
        if (hash === undefined) this.raise("A list or mapping cannot be a key. Put the key in quotes.", key, "python");
        if (hashes.has(hash)) this.raise("The key is given twice in this !!omap. Remove one.", key, "python");
        hashes.add(hash);
        entries.push([first, this.object(value, false)]);
      }
    });
    return {
      t: "other",
      type: "ordereddict",
      entries,
      get repr(): string {
        return pyRepr(this);
      },
    };
  }
}

function kindName(node: BuiltNode): string {
  return node.kind === "scalar" ? "text" : node.kind === "map" ? "mapping" : "list";
}

/** A Python dict: an equal key keeps its first place and key object, and takes the new value. */
class DictBuilder {
  readonly entries: Entry[] = [];
  private readonly index = new Map<string, number>();

  /** True when an equal key was there. */
  put(hash: string, key: PyValue, value: PyValue): boolean {
    const at = this.index.get(hash);
    const entry = at === undefined ? undefined : this.entries[at];
    if (entry !== undefined) {
      entry[1] = value;
      return true;
    }
    this.index.set(hash, this.entries.length);
    this.entries.push([key, value]);
    return false;
  }
}
