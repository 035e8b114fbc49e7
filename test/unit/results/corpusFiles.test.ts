import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentId } from "../../../extension/src/core/model/transcript";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { checkFile, type LocateContext } from "../../../extension/src/core/results/fileCheck";
import { recognise } from "../../../extension/src/core/results/recognise";
import { nodeFiles } from "../../../extension/src/node/files";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";

interface Found {
  readonly text: string;
  readonly callId: string | undefined;
  readonly tool: string | undefined;
}

/** Every text of a tool result, found without the transcript readers. */
function resultsIn(path: string): readonly Found[] {
  const text = readFileSync(path, "utf8");
  const records = path.endsWith(".jsonl") ? text.split("\n").flatMap(parseLine) : parseLine(text);
  const found: Found[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const record = value as Record<string, unknown>;
    const id = record["tool_call_id"] ?? record["tool_use_id"];
    if ((record["role"] === "tool" || record["type"] === "tool_result") && typeof record["content"] === "string") {
      const callId = typeof id === "string" ? id : undefined;
      found.push({ text: record["content"], callId, tool: undefined });
      return;
    }
    for (const [key, member] of Object.entries(record)) if (key !== "data") visit(member);
  };
  for (const record of records) visit(record);
  return found;
}

function parseLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

async function reports(agent: AgentId, transcriptPath: string, rebaseRoot?: string) {
  const where: LocateContext = {
    agent,
    transcriptPath,
    sessionId: undefined,
    rebaseRoot,
    homeFolder: "/nonexistent/home",
    tempFolders: ["/nonexistent/tmp"],
    hermesHomes: [],
    claudeProjects: [],
  };
  const ports = { files: nodeFiles, utf8: nodeUtf8, clock: { now: () => Date.UTC(2030, 0) } };
  const all = [];
  for (const { text, callId, tool } of resultsIn(transcriptPath)) {
    const { state, persisted } = recognise(text, { agent, tool });
    const preview = persisted?.preview && text.slice(persisted.preview.start, persisted.preview.end);
    const report = await checkFile({ persisted, callId }, preview, where, ports, NEVER_CANCELLED);
    all.push({ state, persisted, report, name: persisted?.path?.split("/").at(-1) });
  }
  return all;
}

describe.skipIf(!hasCorpus)("spill files of the recorded homes", () => {
  it("home: every block resolves, except the two expired ones", async () => {
    const path = corpusPath("hermes/home/sessions/session_20260908_090003_1c40de.json");
    const persisted = (await reports("hermes", path)).filter((entry) => entry.state === "persisted");
    expect(persisted.length).toBe(8);
    const expired = persisted.filter((entry) => entry.report.status === "expired");
    expect(expired.map((entry) => entry.name).sort()).toEqual(["call_32ce19d60083.txt"]);
    for (const entry of persisted.filter((one) => !expired.includes(one))) {
      expect([entry.name, entry.report.status, entry.report.realChars]).toEqual([
        entry.name,
        "ok",
        entry.persisted?.statedChars,
      ]);
      expect(entry.report.resolvedPath).toContain("/corpus/hermes/home/cache/spillover/");
    }
  });

  it("an export outside the home: another machine, until the home is chosen; then two files have expired", async () => {
    const path = corpusPath("hermes/export.jsonl");
    const before = (await reports("hermes", path)).filter((entry) => entry.state === "persisted");
    expect(new Set(before.map((entry) => entry.report.status))).toEqual(new Set(["other-machine", "sandbox"]));
    const after = await reports("hermes", path, corpusPath("hermes/home"));
    const expired = after.filter((entry) => entry.report.status === "expired").map((entry) => entry.name);
    expect(new Set(expired).size).toBe(2);
    expect(after.filter((entry) => entry.report.status === "ok").length).toBeGreaterThanOrEqual(8);
    const bad = after.filter((entry) => !["ok", "none", "expired", "sandbox"].includes(entry.report.status));
    expect(bad.map((entry) => [entry.name, entry.report.status])).toEqual([]);
  });

  it("home-2026-04: both eras, the failed save, and the files in the home's own tmp", async () => {
    const folder = corpusPath("hermes/home-2026-04/sessions");
    const variants = new Map<string, string[]>();
    for (const name of readdirSync(folder)) {
      if (name === "sessions.json") continue;
      for (const { persisted, report } of await reports("hermes", join(folder, name))) {
        if (persisted === undefined) continue;
        variants.set(persisted.variant, [...(variants.get(persisted.variant) ?? []), report.status]);
      }
    }
    expect(Object.fromEntries(variants)).toEqual({
      "hermes-large-response": ["ok", "ok", "ok", "ok"],
      "hermes-truncated": ["none", "none"],
      "hermes-block-2026-04": ["ok", "ok", "ok", "ok"],
    });
  });

  it("Claude Code: the block whose folder is here resolves by call id", async () => {
    const id = "637ef6e7-e740-4503-8ff8-5780d7c0918f";
    const path = corpusPath(`claude-code/persisted-grep-2.1.6/${id}.jsonl`);
    const persisted = (await reports("claude-code", path)).filter((entry) => entry.state === "persisted");
    expect(persisted.map((entry) => entry.report.status)).toEqual(["ok"]);
    expect(persisted[0]?.report.resolvedPath).toContain(`/${id}/tool-results/toolu_`);
  });

  it("a plain search for the opening line finds no block that was not recognised", async () => {
    const root = corpusPath("claude-code");
    let searched = 0;
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".jsonl")) continue;
      for (const { text } of resultsIn(join(root, name))) {
        const state = recognise(text, { agent: "claude-code", tool: undefined }).state;
        const marked = text.startsWith("<persisted-output>\nOutput too large (");
        expect(state, `${name}: ${text.slice(0, 60)}`).toBe(marked ? "persisted" : "inline");
        searched += marked ? 1 : 0;
      }
    }
    expect(searched).toBeGreaterThanOrEqual(10);
  });
});
