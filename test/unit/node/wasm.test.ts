import { describe, expect, it } from "vitest";
import { SKIM_MODULE } from "../../../extension/src/core/transcript/rows/skimModule";
import { nodeWasm, type Platform, wasmOn } from "../../../extension/src/node/wasm";

const real = (globalThis as unknown as { readonly WebAssembly: Platform }).WebAssembly;

describe("WebAssembly of this platform", () => {
  it("runs the skimmer", () => {
    expect(nodeWasm.instantiate(SKIM_MODULE, 1 << 20)?.memory.byteLength).toBeGreaterThanOrEqual(1 << 20);
  });

  it("is done without where it is absent, lacks what the module needs, or has no room for its memory", () => {
    const none = class {
      readonly buffer = new SharedArrayBuffer(0);
      constructor() {
        throw new RangeError("could not allocate memory");
      }
    };
    for (const platform of [undefined, { ...platformOf(), Memory: none }])
      expect(wasmOn(platform).instantiate(SKIM_MODULE, 1 << 20)).toBeUndefined();
    // A module with an instruction that no engine has, as newer ones are to an older engine.
    const unknown = Buffer.from("0061736d01000000010401600000030201000a05010300ff0b", "hex").toString("base64");
    expect(() => new real.Module(Buffer.from(unknown, "base64"))).toThrow();
    expect(nodeWasm.instantiate(unknown, 1 << 20)).toBeUndefined();
  });
});

/** WebAssembly's members are not enumerable. */
function platformOf(): Platform {
  const { Module, Memory, Instance } = real;
  return { Module, Memory, Instance };
}
