import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageHtml } from "../../extension/src/client/views/pageHtml";
import { buildProduct, type Product } from "./product";

/** Modules of Node that reach other machines, start programs or open a port for a debugger. */
const REACHING = [
  "net",
  "tls",
  "dgram",
  "dns",
  "dns/promises",
  "http",
  "https",
  "http2",
  "child_process",
  "cluster",
  "inspector",
  "inspector/promises",
  "repl",
];

/** Module → the one importer that may have it, with the reason. */
const ALLOWED: Readonly<Record<string, { readonly importer: RegExp; readonly reason: string }>> = {
  child_process: {
    importer: /^without-network:/,
    reason:
      "the language client forks dist/server.mjs; extension/build/withoutNetwork.mjs hands it fork and nothing else",
  },
};

/** What a page or Node offers without an import. A method of that name is another thing: `scanner.fetch()`. */
const GLOBALS = [
  /(?<![\w$.])fetch\s*\((?!\s*\)\s*\{)/,
  /\b(?:globalThis|window|self|global)\.fetch\b/,
  /\bnew\s+(?:globalThis\.|window\.|self\.)?(?:WebSocket|WebSocketStream|EventSource|XMLHttpRequest|WebTransport|RTCPeerConnection)\b/,
  /\bsendBeacon\b/,
  /\bimportScripts\s*\(/,
  /\bserviceWorker\b/,
  /\bprocess\.binding\b/,
];

/** A module of Node asked for under any name that a minifier gave `require` or `import`. */
const ASKED = new RegExp(`[\\w$)]\\((["'\`])(?:node:)?(?:${REACHING.join("|")})\\1\\)`, "g");
const bare = (path: string): string => path.replace(/^node:/, "");

describe("what ships holds no client for a network", () => {
  let product: Product;
  beforeAll(async () => {
    product = await buildProduct();
  });
  afterAll(() => product?.remove());

  it("imports no module that opens sockets, and one program-starting one where it is allowed", () => {
    const seen = new Map<string, string[]>();
    for (const { inputs } of product.metafiles)
      for (const [importer, { imports }] of Object.entries(inputs))
        for (const { path, external } of imports)
          if (external === true && REACHING.includes(bare(path)))
            seen.set(bare(path), [...(seen.get(bare(path)) ?? []), importer]);
    const wrong = [...seen].flatMap(([module, importers]) =>
      importers
        .filter((importer) => !ALLOWED[module]?.importer.test(importer))
        .map((from) => `${from} imports ${module}`),
    );
    expect(wrong).toEqual([]);
    // An exception that nobody needs any more goes.
    expect([...seen.keys()].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it("asks for none under another name, and forks only", () => {
    const asked = [...product.texts].flatMap(([name, text]) =>
      [...text.matchAll(ASKED)].map(([call]) => `${name} ${call}`),
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^chunk-\w+\.mjs [\w$]+\("node:child_process"\)$/);
    const name = asked[0]?.split(" ")[0] ?? "";
    expect(product.texts.get(name)).toMatch(/\("node:child_process"\)\.fork\b/);
  });

  it("uses none of what page and Node offer without an import", () => {
    const used = [...product.texts].flatMap(([name, text]) =>
      GLOBALS.flatMap((pattern) => {
        const at = text.search(pattern);
        return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 40), at + 60)}`];
      }),
    );
    expect(product.texts.size).toBeGreaterThan(10);
    expect(used).toEqual([]);
  });

  it("loads no code by a name that is made up at run time", () => {
    // esbuild keeps such an import as it is, so it is in no metafile. Source maps and the packed engine's own loader have none.
    const computed = [...product.texts].flatMap(([name, text]) =>
      [...text.matchAll(/(?<![\w$.])import\((?!["'`])[^)]{0,60}/g)].map(([call]) => `${name}: ${call}`),
    );
    expect(computed).toEqual([]);
  });
});

describe("these rules", () => {
  it.each([
    'const a=L("net");',
    "x(require('node:https'))",
    'await import("node:dns/promises")',
    'process.getBuiltinModule("child_process")',
  ])("see %s", (text) => {
    expect(text.match(ASKED)).toHaveLength(1);
  });

  it.each([
    "fetch(a)",
    "const b=await fetch (a)",
    "globalThis.fetch",
    "new WebSocket(u)",
    "new self.XMLHttpRequest",
    "navigator.sendBeacon(a)",
  ])("see %s", (text) => {
    expect(GLOBALS.filter((pattern) => pattern.test(text))).not.toEqual([]);
  });

  it.each(["this.fetch()", "class A{fetch(){return 1}}", 'a==="https"', "prefetch(1)"])("leave %s alone", (text) => {
    expect([...text.matchAll(ASKED)]).toEqual([]);
    expect(GLOBALS.filter((pattern) => pattern.test(text))).toEqual([]);
  });
});

describe("the inspector page", () => {
  const html = pageHtml({ cspSource: "https://a.example", script: "b.js", codicons: "c.css", language: "en" });
  const policy = new Map(
    (/http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources] as const;
    }),
  );

  it("allows nothing but its own script, style and font", () => {
    expect([...policy.keys()].sort()).toEqual([
      "base-uri",
      "default-src",
      "font-src",
      "form-action",
      "script-src",
      "style-src",
    ]);
    expect(policy.get("default-src")).toEqual(["'none'"]);
    expect(policy.get("form-action")).toEqual(["'none'"]);
    expect(policy.get("base-uri")).toEqual(["'none'"]);
  });

  it("runs no code but the one file that carries this page's own number", () => {
    const [source, ...others] = policy.get("script-src") ?? [];
    expect(others).toEqual([]);
    const nonce = /^'nonce-([A-Za-z0-9+/=]{32,})'$/.exec(source ?? "")?.[1];
    expect(nonce).toBeDefined();
    expect([...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)).toEqual([
      `<script nonce="${nonce}" src="b.js">`,
    ]);
    const again = pageHtml({ cspSource: "https://a.example", script: "b.js", codicons: "c.css", language: "en" });
    expect(again).not.toContain(nonce);
  });
});
