import type { Wasm } from "../core/ports";

const PAGE = 65_536;

/** The few parts of the platform's WebAssembly that are used here; Node's types leave it to the DOM's. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly validate: (bytes: Uint8Array) => boolean;
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export const nodeWasm: Wasm = {
  instantiate(module, memoryBytes) {
    const platform = (globalThis as { readonly WebAssembly?: Platform }).WebAssembly;
    const bytes = Buffer.from(module, "base64");
    if (platform?.validate(bytes) !== true) return undefined;
    const { exports } = new platform.Instance(new platform.Module(bytes));
    const memory = exports["memory"] as Memory;
    const missing = memoryBytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return {
      memory: memory.buffer,
      call: (name, ...args) => (exports[name] as (...args: readonly number[]) => number)(...args),
    };
  },
};
