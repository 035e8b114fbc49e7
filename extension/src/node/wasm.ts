import { OUT_OF_ROOM, type Wasm, type WasmInstance } from "../core/ports";

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
}

export interface Memory {
  readonly buffer: SharedArrayBuffer;
}

interface Shared {
  readonly module: object;
  readonly memory: Memory;
}

export const nodeWasm: Wasm = wasmOn((globalThis as { readonly WebAssembly?: Platform }).WebAssembly);

/** WebAssembly of a platform; undefined where it has none. `mostPages`: of its memory, at most those of the module itself. */
export function wasmOn(platform: Platform | undefined, mostPages = MOST_PAGES): Wasm {
  return {
    instantiate(module, memoryBytes) {
      const compiled = platform === undefined ? undefined : compile(module, platform);
      if (platform === undefined || compiled === undefined) return undefined;
      const memory = memoryOf(platform, Math.ceil(memoryBytes / PAGE), mostPages);
      return memory === undefined ? undefined : instanceOf({ module: compiled, memory }, platform);
    },
    join(shared) {
      if (platform === undefined) throw new Error("this thread has no WebAssembly, though another one has");
      return instanceOf(shared as Shared, platform);
    },
  };
}

/** Undefined where the platform lacks what the module needs. */
function compile(module: string, { Module }: Platform): object | undefined {
  try {
    return new Module(Buffer.from(module, "base64"));
  } catch (error) {
    if (error instanceof Error && error.name === "CompileError") return undefined;
    throw error;
  }
}

/** Undefined where there is no room for the addresses: a limit on the process, or 32 bits. */
function memoryOf({ Memory }: Platform, initial: number, maximum: number): Memory | undefined {
  try {
    return new Memory({ initial, maximum, shared: true });
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
    call: (name, ...args) => {
      try {
        return (exports[name] as (...args: readonly number[]) => number)(...args);
      } catch (error) {
        // The module ends itself with this instruction where its memory does not grow (extension/wasm/state.ts), and nowhere else.
        if (!(error instanceof Error && error.name === "RuntimeError" && error.message === "unreachable")) throw error;
        throw Object.assign(new Error("the module's memory cannot grow", { cause: error }), { code: OUT_OF_ROOM });
      }
    },
  };
}
