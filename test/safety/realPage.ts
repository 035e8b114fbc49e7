import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { InspectorSession } from "../../extension/src/client/views/inspectorSession";
import { pageHtml } from "../../extension/src/client/views/pageHtml";
import { PageLink } from "../../extension/src/client/views/pageLink";
import type { SessionPorts } from "../../extension/src/client/views/sessionPorts";
import { err } from "../../extension/src/core/model/problem";
import { checkFile } from "../../extension/src/core/results/fileCheck";
import { readBody } from "../../extension/src/core/transcript/body";
import { unreadable } from "../../extension/src/core/transcript/sniff";
import { systemClock } from "../../extension/src/node/clock";
import { nodeFiles } from "../../extension/src/node/files";
import { searchInWorker } from "../../extension/src/node/searchInWorker";
import { TranscriptSimulation } from "../../extension/src/node/simulateInWorker";
import { TableInWorker } from "../../extension/src/node/tableInWorker";
import { nodeUnpacker } from "../../extension/src/node/unpack";
import { nodeUtf8 } from "../../extension/src/node/utf8";
import type { HostFrame } from "../../extension/src/protocol/webview";
import { buildWorker } from "../builtWorker";
import { repoPath } from "../corpus";
import { launchBrowser } from "../host/browser.mjs";

/** What the page is served with. */
export interface PageServer {
  readonly origin: string;
  /** Addresses that were asked for and are none of the page's own. */
  readonly strays: readonly string[];
  /** The page without its policy, to show that the policy is what refuses. */
  unguarded: boolean;
  readonly workerFile: string;
  readonly browser: Browser;
  stop(): Promise<void>;
}

/** Builds page and thread from the sources and serves the page as the extension writes it. */
export async function startPageServer(): Promise<PageServer> {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const workerFile = join(folder, "worker.cjs");
  buildWorker(workerFile);
  const bundle = await build({
    absWorkingDir: repoPath("."),
    entryPoints: ["webview/src/main.ts"],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "chrome132",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const codicons = "node_modules/@vscode/codicons/dist";
  const strays: string[] = [];
  const state = { unguarded: false };
  const files: Readonly<Record<string, readonly [type: string, body: () => string | Uint8Array]>> = {
    "/": ["text/html; charset=utf-8", () => (state.unguarded ? withoutPolicy(pageAt("")) : pageAt(""))],
    "/webview.js": ["text/javascript", () => bundle.outputFiles[0]?.contents ?? ""],
    "/codicon.css": ["text/css", () => readFileSync(repoPath(`${codicons}/codicon.css`))],
    "/codicon.ttf": ["font/ttf", () => readFileSync(repoPath(`${codicons}/codicon.ttf`))],
    "/favicon.ico": ["image/x-icon", () => ""],
  };
  const server: Server = createServer((request, response) => {
    const file = files[(request.url ?? "/").replace(/\?.*$/s, "")];
    if (file === undefined) {
      strays.push(request.url ?? "");
      // Whatever was asked for is given, so that only the page can refuse it.
      response
        .writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/plain" })
        .end("window.pwned = [...(window.pwned ?? []), 'file']");
    } else response.writeHead(200, { "content-type": file[0] }).end(file[1]());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pageAt = (path: string): string =>
    pageHtml({
      cspSource: origin,
      script: `${origin}${path}/webview.js`,
      codicons: `${origin}/codicon.css`,
      language: "en",
    });
  const browser = await launchBrowser();
  return {
    origin,
    strays,
    workerFile,
    browser,
    get unguarded() {
      return state.unguarded;
    },
    set unguarded(value) {
      state.unguarded = value;
    },
    stop: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(folder, { recursive: true });
    },
  };
}

export function withoutPolicy(html: string): string {
  return html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
}

export interface Violation {
  readonly directive: string;
  readonly uri: string;
}

declare global {
  interface Window {
    pwned?: unknown;
    violations: Violation[];
    hostReceive(frame: unknown): void;
  }
}

export interface OpenPage {
  readonly page: Page;
  readonly session: InspectorSession;
  readonly context: BrowserContext;
  /** UTF-16 units of JSON that crossed to the page. */
  crossed(): number;
  /** What the page or the host complained of. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** The inspector's page joined with the session that reads a transcript: all of the product but VS Code's frame around it. */
export async function openTranscript(server: PageServer, path: string, width = 1400): Promise<OpenPage> {
  const complaints: string[] = [];
  const complain = (message: string): void => {
    complaints.push(message);
  };
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: complain,
    error: (message: string, error?: unknown) => complain(`${message} ${String(error)}`),
  };
  const session = new InspectorSession(path, portsOf(server.workerFile, log), "en");
  const context = await server.browser.newContext({ viewport: { width, height: 860 } });
  const page = await context.newPage();
  page.on("pageerror", (error) => complain(`the page threw: ${error.stack ?? error.message}`));
  let crossed = 0;
  const post = (frame: HostFrame): void => {
    const text = JSON.stringify(frame);
    crossed += text.length;
    page.evaluate((data) => window.postMessage(JSON.parse(data), "*"), text).catch(() => undefined);
  };
  const actions = {
    openFull: async () => err("not here"),
    glance: async () => ({ title: null, window: null }),
    outputSecret: async () => err("not here"),
    outputPage: async () => err("not here"),
    reveal: async () => err("not here"),
    copy: async () => undefined,
    rebase: async () => false,
    whatIf: { apply: async () => err("not here"), save: async () => err("not here") },
  };
  const link = new PageLink({ session, actions: actions as never, post, log });
  await page.exposeFunction("hostReceive", (frame: unknown) => link.receive(frame));
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      window.violations.push({
        directive: event.effectiveDirective,
        uri: `${event.blockedURI} ${event.sourceFile}:${event.lineNumber}:${event.columnNumber} ${event.sample}`,
      }),
    );
    let state: unknown;
    Object.assign(window, {
      acquireVsCodeApi: () => ({
        postMessage: (frame: unknown) => window.hostReceive(frame),
        getState: () => state,
        setState: (next: unknown) => {
          state = next;
        },
      }),
    });
  });
  session.read();
  await session.finished;
  await page.goto(server.origin);
  await page.locator("context-budget-inspector").locator("h1, .screen").first().waitFor();
  return {
    page,
    session,
    context,
    crossed: () => crossed,
    complaints,
    close: async () => {
      link.dispose();
      session.dispose();
      await context.close();
    },
  };
}

function portsOf(workerFile: string, log: SessionPorts["log"]): SessionPorts {
  const ports = { files: nodeFiles, utf8: nodeUtf8, unpacker: nodeUnpacker, clock: systemClock };
  return {
    log,
    secrets: undefined,
    transcript: (path, news) => new TableInWorker(path, { workerFile, news, trouble: (message) => log.warn(message) }),
    readText: async (path, ref) => {
      try {
        return await readBody(await nodeFiles.open(path), ref, ports);
      } catch (error) {
        return err(unreadable({ path }, error));
      }
    },
    search: (path, targets, query, onStep, cancel) =>
      searchInWorker(path, targets, query, onStep, cancel, { workerFile }),
    simulate: (path, onProgress) => new TranscriptSimulation(path, { workerFile, onProgress }),
    checkFile: (transcriptPath, header, result, preview, cancel) => {
      const where = { agent: header.agent, transcriptPath, sessionId: header.sessionId, rebaseRoot: undefined };
      const nowhere = { homeFolder: "/nowhere", tempFolders: [], hermesHomes: [], claudeProjects: [] };
      return checkFile(result, preview, { ...nowhere, ...where }, ports, cancel);
    },
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return { dispose: () => clearTimeout(timer) };
    },
  };
}
