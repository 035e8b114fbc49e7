import type { Wasm, WasmInstance } from "../core/ports";

const PAGE = 65_536;

/** Pages that the module's memory may grow to (extension/build/wasm.mjs): 2 GB, of which only what is used takes memory. */
const MOST_PAGES = 32_768;

/** The few parts of the platform's WebAssembly that are used here; Node's types leave it to the DOM's. */
export interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: boolean;
  }) => Memory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly validate: (bytes: Uint8Array) => boolean;
}

export interface Memory {
  readonly buffer: SharedArrayBuffer;
}

interface Shared {
  readonly module: object;
  readonly memory: Memory;
}

export const nodeWasm: Wasm = wasmOn((globalThis as { readonly WebAssembly?: Platform }).WebAssembly);

/** WebAssembly of a platform; undefined where it has none. */
export function wasmOn(platform: Platform | undefined): Wasm {
  return {
    instantiate(module, memoryBytes) {
      const bytes = Buffer.from(module, "base64");
      if (platform?.validate(bytes) !== true) return undefined;
      const memory = memoryOf(platform, Math.ceil(memoryBytes / PAGE));
      return memory === undefined ? undefined : instanceOf({ module: new platform.Module(bytes), memory }, platform);
    },
    join(shared) {
      if (platform === undefined) throw new Error("this thread has no WebAssembly, though another one has");
      return instanceOf(shared as Shared, platform);
    },
  };
}

/** Undefined where there is no room for the addresses: a limit on the process, or 32 bits. */
function memoryOf({ Memory }: Platform, initial: number): Memory | undefined {
  try {
    return new Memory({ initial, maximum: MOST_PAGES, shared: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

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
