import { describe, expect, it } from "vitest";
import { recognise } from "../../../extension/src/core/results/recognise";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { hasCorpus } from "../../corpus";
import { join, type Parts, type RecordedText, readOracle, textOf } from "./oracle";

interface BlockCase {
  readonly parts: Parts;
  readonly length: number;
  readonly tool: string;
  readonly unchanged?: true;
  readonly output?: RecordedText;
  readonly output_v0_8_0?: RecordedText;
  readonly file?: string;
  readonly save_failed?: true;
}

interface BlockOracle {
  readonly current: readonly BlockCase[];
  readonly previous: readonly BlockCase[];
  readonly failed_save: readonly BlockCase[];
  readonly april_2026: readonly BlockCase[];
  readonly mcp_envelope: readonly {
    readonly content: RecordedText;
    readonly tool: string;
    readonly unchanged?: true;
    readonly output?: RecordedText;
    readonly file_text?: RecordedText;
    readonly file_length?: number;
  }[];
}

describe.skipIf(!hasCorpus)("recognise agrees with the recorded blocks", () => {
  const oracle = hasCorpus ? readOracle<BlockOracle>("oracle", "block.json") : undefined;
  const agents = ["hermes", "unknown"] as const;

  function checkBlock(
    output: string,
    full: string,
    tool: string,
    stated: number,
    variant: string,
    file?: string,
  ): void {
    for (const agent of agents) {
      const { state, persisted } = recognise(output, { agent, tool });
      expect(state).toBe("persisted");
      expect(persisted?.variant).toBe(variant);
      expect(persisted?.statedChars).toBe(stated);
      expect(persisted?.statedRounded).toBe(false);
      if (file !== undefined) expect(persisted?.path).toBe(file);
      const range = persisted?.preview;
      const preview = range === undefined ? "" : output.slice(range.start, range.end);
      expect(full.startsWith(preview)).toBe(true);
      const label = /\nPreview \(first (\d+) chars\):\n/.exec(output)?.[1];
      if (label !== undefined) expect(countCodePoints(preview)).toBe(Number(label));
      expect(persisted?.hasMore).toBe(preview.length < full.length);
    }
  }

  it("current and previous blocks", () => {
    let seen = 0;
    for (const entry of [...(oracle?.current ?? []), ...(oracle?.previous ?? [])]) {
      const full = join(entry.parts);
      if (entry.unchanged) {
        expect(recognise(full, { agent: "hermes", tool: entry.tool }).state).toBe("inline");
        continue;
      }
      const variant = oracle?.current.includes(entry) ? "hermes-block" : "hermes-block-2026-04";
      for (const output of [entry.output, entry.output_v0_8_0]) {
        if (output === undefined) continue;
        checkBlock(textOf(output), full, entry.tool, entry.length, variant, entry.file);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(50);
  });

  it("MCP envelopes state the unwrapped length and show the unwrapped text", () => {
    for (const entry of oracle?.mcp_envelope ?? []) {
      if (entry.output === undefined || entry.file_text === undefined) continue;
      const output = textOf(entry.output);
      checkBlock(output, textOf(entry.file_text), entry.tool, entry.file_length ?? -1, "hermes-block");
    }
  });

  it("failed saves are truncated, with the whole beginning as preview", () => {
    for (const entry of oracle?.failed_save ?? []) {
      const output = textOf(entry.output ?? "");
      for (const agent of agents) {
        const { state, persisted } = recognise(output, { agent, tool: entry.tool });
        expect([state, persisted?.variant, persisted?.statedChars]).toEqual([
          "truncated",
          "hermes-truncated",
          entry.length,
        ]);
        expect(persisted?.path).toBeUndefined();
        const preview = output.slice(persisted?.preview?.start, persisted?.preview?.end);
        expect(join(entry.parts).startsWith(preview)).toBe(true);
        expect(output.startsWith(`${preview}\n\n[Truncated: `)).toBe(true);
      }
    }
  });

  it("April 2026 notices", () => {
    for (const entry of oracle?.april_2026 ?? []) {
      const full = join(entry.parts);
      for (const agent of agents) {
        const output = entry.output === undefined ? full : textOf(entry.output);
        const { state, persisted } = recognise(output, { agent, tool: entry.tool });
        if (entry.unchanged) {
          expect(state).toBe("inline");
          continue;
        }
        const preview = output.slice(persisted?.preview?.start, persisted?.preview?.end);
        expect(full.startsWith(preview)).toBe(true);
        expect(persisted?.statedChars).toBe(entry.length);
        if (entry.save_failed) {
          expect([state, persisted?.variant]).toEqual(["truncated", "hermes-truncated-2026-04"]);
          expect(countCodePoints(preview)).toBe(100_000);
        } else {
          expect([state, persisted?.variant]).toEqual(["persisted", "hermes-large-response"]);
          expect(countCodePoints(preview)).toBe(1500);
          expect(persisted?.path).toMatch(/^\/home\/user\/\.hermes\/cache\/tool_responses\/[\p{L}\p{N}_-]+\.txt$/u);
        }
      }
    }
  });
});

interface MausOracle {
  readonly bounded: readonly {
    readonly parts: Parts;
    readonly save: string;
    readonly unchanged: boolean;
    readonly prefix_length?: number | null;
    readonly notice?: string;
    readonly output_length?: number;
    readonly redacted_length: number;
    readonly save_called_with: { readonly length: number; readonly truncated: boolean } | null;
    readonly saver_returned: unknown;
  }[];
}

describe.skipIf(!hasCorpus)("recognise agrees with the recorded OpenMausBot notices", () => {
  const cases = hasCorpus ? readOracle<MausOracle>("openmausbot", "oracle.json").bounded : [];

  it.each(cases.map((entry, index) => ({ ...entry, index })))("case $index ($save)", (entry) => {
    const whole = join(entry.parts);
    const prefix = entry.prefix_length;
    // The preview is cut from the redacted text, of which only the length is recorded.
    const shown = typeof prefix === "number" ? whole.slice(0, prefix).padEnd(prefix, "x") : "";
    const output = entry.unchanged ? whole : shown + (entry.notice ?? "");
    for (const agent of ["openmausbot", "unknown", "hermes", "claude-code"] as const) {
      const { state, persisted } = recognise(output, { agent, tool: undefined });
      if (entry.unchanged) {
        expect(state).toBe("inline");
        continue;
      }
      const id = /id "(r-[0-9a-f-]{36})"/.exec(entry.notice ?? "")?.[1];
      expect(state).toBe(id === undefined ? "truncated" : "handle");
      expect(persisted?.handle).toBe(id);
      if (prefix === null) {
        expect(persisted?.variant).toBe("openmausbot-summary");
        expect(persisted?.nextOffset).toBe(0);
        expect(persisted?.statedChars).toBe(entry.save_called_with?.length);
      } else {
        expect(persisted?.preview).toEqual({ start: 0, end: prefix });
        expect(persisted?.nextOffset).toBe(id === undefined ? undefined : prefix);
        const bounded = entry.notice?.includes("bounded portion") ? "openmausbot-bounded" : "openmausbot-saved";
        expect(persisted?.variant).toBe(id === undefined ? "openmausbot-failed" : bounded);
      }
    }
  });
});

describe.skipIf(!hasCorpus)("recognise agrees with the recorded compaction passes", () => {
  interface Change {
    readonly content?: RecordedText;
  }
  const oracle = hasCorpus
    ? readOracle<{ readonly cases: readonly { readonly changes: readonly Change[] }[] }>("oracle", "dedupe-demote.json")
    : undefined;

  it("every text that a pass left is a placeholder", () => {
    const states = new Map<string, number>();
    for (const { changes } of oracle?.cases ?? []) {
      for (const { content } of changes) {
        if (typeof content !== "string" && !(content && "parts" in content)) continue;
        const text = textOf(content);
        const { state } = recognise(text, { agent: "hermes", tool: undefined });
        expect(["pruned", "duplicate", "cleared"], text).toContain(state);
        states.set(state, (states.get(state) ?? 0) + 1);
      }
    }
    expect(states.get("pruned")).toBeGreaterThan(100);
    expect(states.get("duplicate")).toBeGreaterThan(10);
  });
});
