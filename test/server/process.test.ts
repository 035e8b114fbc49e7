import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { BUNDLES } from "../../extension/build/bundles.mjs";
import { sharedOptions } from "../../extension/build/options.mjs";
import { withValue } from "../unit/config/samples";

let folder: string;

/** Bundled as the build does it, so that a package which only works unbundled is noticed here. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "context-budget-server-"));
  const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
  await build(sharedOptions(shared, { outdir: folder, production: true }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the bundled server as a process", () => {
  it("answers over stdio and ends in order", async () => {
    const child = spawn(process.execPath, [join(folder, "server.mjs"), "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
    const errors: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const client = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    const published = new Promise<PublishDiagnosticsParams>((resolve) => {
      client.onNotification("textDocument/publishDiagnostics", resolve);
    });
    client.listen();
    try {
      await client.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
      await client.sendNotification("initialized", {});
      const textDocument = { uri: "file:///w/x.yaml", languageId: "yaml", version: 1, text: withValue("1e4") };
      await client.sendNotification("textDocument/didOpen", { textDocument });
      expect((await published).diagnostics.map(({ code }) => code)).toEqual(["threshold-non-whole-string"]);
      await client.sendRequest("shutdown");
      await client.sendNotification("exit");
      expect(await ended).toBe(0);
      expect(errors.join("")).toBe("");
    } finally {
      client.dispose();
      child.kill();
    }
  });
});
