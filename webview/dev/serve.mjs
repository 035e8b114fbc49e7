/**
 * Serves the dev page on 127.0.0.1. Usage: node webview/dev/serve.mjs; then open the printed address, with ?state=…&theme=… as listed in
 * recordings.ts and themes.json. Reload builds anew.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CODICONS = "node_modules/@vscode/codicons/dist";

/** @param {string} entry @param {boolean} minify */
async function bundle(entry, minify) {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify,
    format: "iife",
    platform: "browser",
    target: "chrome132",
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return result.outputFiles[0]?.contents ?? new Uint8Array();
}

/** @type {Readonly<Record<string, readonly [type: string, read: () => Promise<Uint8Array>]>>} */
const FILES = {
  "/": ["text/html; charset=utf-8", () => readFile(`${root}/webview/dev/index.html`)],
  "/webview.js": ["text/javascript", () => bundle("webview/src/main.ts", true)],
  "/harness.js": ["text/javascript", () => bundle("webview/dev/harness.ts", false)],
  "/codicon.css": ["text/css", () => readFile(`${root}/${CODICONS}/codicon.css`)],
  "/codicon.ttf": ["font/ttf", () => readFile(`${root}/${CODICONS}/codicon.ttf`)],
};

/**
 * Starts the server.
 * @param {{ port?: number, cache?: boolean }} [options] cache: build and read once, for tests
 * @returns {Promise<{ origin: string, stop: () => Promise<void> }>}
 */
export async function serveDevPage(options = {}) {
  /** @type {Map<string, Promise<Uint8Array>>} */
  const cached = new Map();
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/\?.*$/s, "");
    const file = FILES[path];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const [type, read] = file;
    const body = cached.get(path) ?? read();
    if (options.cache) {
      cached.set(path, body);
    }
    body.then(
      (bytes) => response.writeHead(200, { "content-type": type }).end(bytes),
      (error) => response.writeHead(500, { "content-type": "text/plain" }).end(String(error)),
    );
  });
  await new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(options.port ?? 0, "127.0.0.1", () => done(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("the dev server has no port");
  }
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { origin } = await serveDevPage({ port: 4173 });
  console.log(`${origin}/?state=sample&theme=dark-modern`);
}
