import * as assert from "node:assert/strict";
import * as childProcess from "node:child_process";
import * as dgram from "node:dgram";
import * as dns from "node:dns";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import * as net from "node:net";
import { join } from "node:path";
import * as vscode from "vscode";
import { activated, closeEditors, diagnostics, EXTENSION_ID, hoverText, sampleFile } from "../support";

interface Attempt {
  readonly what: string;
  readonly first: string;
}

const OURS = new RegExp(`[\\\\/]extensions[\\\\/]${EXTENSION_ID.replaceAll(".", "\\.")}-`);

/** Extension hosts have sockets of their own: those that the extension asks for are told by the stack that leads to them. */
function watchExtension(): { readonly attempts: readonly Attempt[]; readonly restore: () => void } {
  const attempts: Attempt[] = [];
  const undo: (() => void)[] = [];
  const watch = (holder: object, name: string, what: string): void => {
    const target = holder as Record<string, (...args: unknown[]) => unknown>;
    const real = target[name];
    if (real === undefined) throw new Error(`${what} is not there`);
    target[name] = function (this: unknown, ...args) {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 100;
      const { stack = "" } = new Error(what);
      Error.stackTraceLimit = stackTraceLimit;
      if (OURS.test(stack)) attempts.push({ what, first: JSON.stringify(args[0]) ?? "" });
      return real.apply(this, args);
    };
    undo.push(() => {
      target[name] = real;
    });
  };
  watch(net.Socket.prototype, "connect", "connect");
  watch(net.Server.prototype, "listen", "listen");
  watch(dgram.Socket.prototype, "send", "send");
  watch(dns, "lookup", "lookup");
  watch(globalThis, "fetch", "fetch");
  watch(childProcess.ChildProcess.prototype, "spawn", "spawn");
  return {
    attempts,
    restore: () => {
      for (const each of undo) each();
    },
  };
}

/** Sockets of a process that a network knows: TCP and UDP, both generations. Those between processes of one machine are in no such list. */
function networkSockets(pid: number): readonly string[] {
  const inodes = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch (error) {
      // Closed since it was listed.
      if (error instanceof Error && "code" in error) return [];
      throw error;
    }
  });
  const known = ["tcp", "tcp6", "udp", "udp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/)[9] ?? ""),
  );
  return inodes.filter((inode) => known.includes(inode));
}

function childrenOf(pid: number): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return parent === pid ? [{ pid: Number(name), command }] : [];
      } catch (error) {
        if (error instanceof Error && "code" in error) return [];
        throw error;
      }
    });
}

describe("the installed package and the network", () => {
  let watched: ReturnType<typeof watchExtension>;
  before(() => {
    watched = watchExtension();
  });
  after(async () => {
    watched.restore();
    await closeEditors();
  });

  it("opens no socket, and starts nothing but its own server, in the extension host", async () => {
    // Newer versions activate it at once, for the tools that it offers to agents; its server starts with the first config in any case.
    const uri = sampleFile(".hermes", "config.yaml");
    await vscode.window.showTextDocument(uri);
    const found = await diagnostics(uri, (all) => all.length > 0, "a diagnostic");
    const at = found[0]?.range.start;
    assert.ok(at);
    assert.match(await hoverText(uri, at), /\w/);
    await activated();
    for (const path of [
      [".hermes", "sessions", "session_20261006_064512_b0a7ed.json"],
      ["exports", "hermes-sessions.jsonl"],
      ["openmausbot", "harbour-desk.json"],
    ])
      await vscode.commands.executeCommand("contextBudget.openInspector", sampleFile(...path));
    await vscode.commands.executeCommand("contextBudget.refreshSessions");
    await vscode.commands.executeCommand("contextBudget.explainConfig", uri);
    const { attempts } = watched;
    assert.deepEqual(
      attempts.map(({ what }) => what),
      ["spawn"],
      JSON.stringify(attempts),
    );
    assert.match(attempts[0]?.first ?? "", /server\.mjs/);
  });

  it("has a server without a socket to any network", function () {
    if (process.platform !== "linux") this.skip();
    const servers = childrenOf(process.pid).filter(({ command }) => command.includes("server.mjs"));
    assert.equal(servers.length, 1, JSON.stringify(childrenOf(process.pid)));
    const [server] = servers;
    assert.ok(server && OURS.test(server.command), server?.command);
    assert.deepEqual(networkSockets(server.pid), []);
  });

  it("looks where sockets would be seen", async function () {
    if (process.platform !== "linux") this.skip();
    const server = net.createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      assert.ok(networkSockets(process.pid).length > 0);
    } finally {
      server.close();
    }
  });
});

// The folder of the extension is told from those of other extensions.
assert.match(join("a", "extensions", `${EXTENSION_ID}-0.1.0`, "dist", "host.mjs"), OURS);
