import type { Wasm, WasmInstance } from "../core/ports";

const PAGE = 65_536;

/** Pages that the module's memory may grow to (extension/build/wasm.mjs): 2 GB, of which only what is used takes memory. */
const MOST_PAGES = 32_768;

/** The few parts of the platform's WebAssembly that are used here; Node's types leave it to the DOM's. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: boolean;
  }) => Memory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly validate: (bytes: Uint8Array) => boolean;
}

interface Memory {
  readonly buffer: SharedArrayBuffer;
}

interface Shared {
  readonly module: object;
  readonly memory: Memory;
}

const platform = (globalThis as { readonly WebAssembly?: Platform }).WebAssembly;

export const nodeWasm: Wasm = {
  instantiate(module, memoryBytes) {
    const bytes = Buffer.from(module, "base64");
    if (platform?.validate(bytes) !== true) return undefined;
    const initial = Math.ceil(memoryBytes / PAGE);
    const memory = new platform.Memory({ initial, maximum: MOST_PAGES, shared: true });
    return instanceOf({ module: new platform.Module(bytes), memory }, platform);
  },
  join(shared) {
    if (platform === undefined) throw new Error("this thread has no WebAssembly, though another one has");
    return instanceOf(shared as Shared, platform);
  },
};

function instanceOf(shared: Shared, { Instance }: Platform): WasmInstance {
  const { memory } = shared;
  const { exports } = new Instance(shared.module, { env: { memory } });
  return {
    get memory() {
      return memory.buffer;
    },
    shared,
    call: (name, ...args) => (exports[name] as (...args: readonly number[]) => number)(...args),
  };
}
