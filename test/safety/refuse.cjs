/**
 * Loaded by `--require` before anything else, in every thread: refuses what could reach another machine or start a program, and
 * writes a line about each attempt to the file that CONTEXT_BUDGET_ATTEMPTS names.
 */
const { appendFileSync } = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { isMainThread } = require("node:worker_threads");

const file = process.env.CONTEXT_BUDGET_ATTEMPTS;
if (!file) throw new Error("CONTEXT_BUDGET_ATTEMPTS names no file");

const refuse = (what) =>
  function refused(...args) {
    const stack = String(new Error(what).stack).split("\n").slice(2, 8);
    const first = args.map((arg) => (typeof arg === "string" ? arg : typeof arg)).join(", ");
    appendFileSync(file, `${JSON.stringify({ what, first, stack })}\n`);
    throw Object.assign(new Error(`${what} is refused here`), { code: "EREFUSED" });
  };

/** @param {object} holder @param {string} label @param {(name: string) => boolean} [which] */
const refuseAll = (holder, label, which = () => true) => {
  for (const name of Object.getOwnPropertyNames(holder)) {
    if (name === "constructor" || /^[A-Z]/.test(name) || !which(name)) continue;
    if (typeof Object.getOwnPropertyDescriptor(holder, name)?.value === "function")
      holder[name] = refuse(`${label}.${name}`);
  }
};

const net = require("node:net");
const dns = require("node:dns");
const dgram = require("node:dgram");
const tls = require("node:tls");
const http = require("node:http");
const https = require("node:https");
const http2 = require("node:http2");
const inspector = require("node:inspector");
const childProcess = require("node:child_process");

net.Socket.prototype.connect = refuse("net.Socket.connect");
net.Server.prototype.listen = refuse("net.Server.listen");
refuseAll(dns, "dns", (name) => /^(lookup|resolve|reverse)/.test(name));
refuseAll(dns.promises, "dns.promises", (name) => /^(lookup|resolve|reverse)/.test(name));
refuseAll(dns.Resolver.prototype, "dns.Resolver", (name) => /^(resolve|reverse)/.test(name));
refuseAll(dns.promises.Resolver.prototype, "dns.promises.Resolver", (name) => /^(resolve|reverse)/.test(name));
refuseAll(dgram.Socket.prototype, "dgram.Socket", (name) => /^(bind|connect|send|addMembership)/.test(name));
tls.connect = refuse("tls.connect");
for (const [label, module] of [
  ["http", http],
  ["https", https],
])
  for (const name of ["request", "get"]) module[name] = refuse(`${label}.${name}`);
http2.connect = refuse("http2.connect");
inspector.open = refuse("inspector.open");
for (const name of ["fetch", "WebSocket", "EventSource"])
  Object.defineProperty(globalThis, name, { value: refuse(name), configurable: true, writable: true });

childProcess.ChildProcess.prototype.spawn = refuse("child_process.spawn");
for (const name of ["spawnSync", "execSync", "execFileSync"]) childProcess[name] = refuse(`child_process.${name}`);
syncBuiltinESMExports();

// Says that it was here: a run without this line proved nothing.
appendFileSync(file, `${JSON.stringify({ what: isMainThread ? "loaded" : "loaded in a thread" })}\n`);
