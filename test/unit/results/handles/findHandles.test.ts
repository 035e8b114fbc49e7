import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HandlesAsked, HandlesPage } from "../../../../extension/src/core/model/handlesPage";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { boundText } from "../../../../extension/src/core/results/store/boundText";
import type { RedactedText } from "../../../../extension/src/core/results/store/redacted";
import { handlesPage, scanHandles } from "../../../../extension/src/node/simulation/handlesPage";
import { loadTranscript } from "../../../../extension/src/node/simulation/loadTranscript";

const bounded = async (...asked: Parameters<typeof boundText>) => (await boundText(...asked)).text;

const START = Date.UTC(2026, 7, 14, 8);
const MINUTE = 60_000;

/** A conversation as OpenMausBot's native log has it: Claude Code's records, wrapped. Times in minutes after the start. */
class Conversation {
  readonly lines: string[] = [];
  #calls = 0;
  #handles = 0;

  constructor() {
    this.#put(0, { type: "user", message: { role: "user", content: "Please begin." } });
  }

  call(
    at: number,
    tool: string,
    input: unknown,
    answer: string | undefined,
    { isError = false, message = "" }: { readonly isError?: boolean; readonly message?: string } = {},
  ): void {
    const id = `toolu_${++this.#calls}`;
    const content = [{ type: "tool_use", id, name: tool, input }];
    const id0 = message === "" ? `msg_${id}` : message;
    this.#put(at, { type: "assistant", message: { id: id0, role: "assistant", model: "m", content } });
    if (answer !== undefined) this.answer(at, id, answer, isError);
  }

  answer(at: number, id: string, text: string, isError: boolean): void {
    const content = [{ type: "tool_result", tool_use_id: id, content: text, ...(isError ? { is_error: true } : {}) }];
    this.#put(at, { type: "user", message: { role: "user", content } });
  }

  /** A call with a result that is too large; gives its handle. */
  async large(at: number, tool: string, input: unknown, text: string): Promise<string> {
    const handle = `r-00000000-0000-4000-8000-${String(++this.#handles).padStart(12, "0")}`;
    const notice = await bounded(text, {
      redact: async (one) => one as RedactedText,
      save: async () => ({ id: handle, truncated: false }),
      after: () => ({ dispose: () => undefined }),
    });
    this.call(at, tool, input, notice);
    return handle;
  }

  page(at: number, id: string, text: string, offset: number): void {
    const end = Math.min(text.length, offset + 16_000);
    const words =
      end < text.length ? `Read more with tool_result_read id "${id}" and offset ${end}.` : "End of retained result.";
    this.call(at, "mcp__agents__tool_result_read", { id, offset }, `${text.slice(offset, end)}\n\n[${words}]`);
  }

  #put(minutes: number, record: object): void {
    const uuid = `u${this.lines.length}`;
    const parentUuid = this.lines.length === 0 ? null : `u${this.lines.length - 1}`;
    const msg = { uuid, parentUuid, sessionId: "s1", isSidechain: false, ...record };
    this.lines.push(JSON.stringify({ at: START + minutes * MINUTE, dir: "in", source: "claude", msg }));
  }
}

describe("handles of a transcript", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "handles-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function pageOf(talk: Conversation, asked: Partial<HandlesAsked> = {}, now = START): Promise<HandlesPage> {
    const path = join(folder, "native.ndjson");
    writeFileSync(path, talk.lines.join("\n"));
    const loaded = await loadTranscript(path, { format: undefined, onProgress: () => undefined }, NEVER_CANCELLED);
    if (loaded?.ok !== true) throw new Error("not loaded");
    try {
      const scan = await scanHandles(loaded.value, NEVER_CANCELLED, () => undefined);
      if (scan === undefined) throw new Error("cancelled");
      const all = { moment: { kind: "end" }, use: null, from: 0, count: 50 } as const;
      return await handlesPage(loaded.value, scan, { ...all, ...asked }, now);
    } finally {
      loaded.value.close();
    }
  }

  it("are read by id and offset, repeated, left alone, or their fate cannot be known", async () => {
    const talk = new Conversation();
    const text = `${"0123456789".repeat(4_000)}😀`;
    const read = await talk.large(1, "shop_list", { page: 1 }, text);
    await talk.large(2, "shop_list", { page: 2 }, "b".repeat(30_000));
    await talk.large(3, "shop_list", { page: 3 }, "c".repeat(30_000));
    talk.page(4, read, text, 16_000);
    talk.page(5, read, text, 32_000);
    talk.call(6, "mcp__agents__tool_result_read", { id: read, offset: 99_999 }, "No such result.", { isError: true });
    talk.call(7, "shop_list", { page: 3 }, "short now");
    const page = await pageOf(talk);
    expect(page.counts).toEqual({ never: 1, read: 1, repeated: 1, unknown: 0 });
    const [first, second, third] = page.rows;
    expect(first).toMatchObject({
      name: read,
      kind: "store",
      use: "read",
      savedAt: START + MINUTE,
      timeFrom: "record",
      readCount: 3,
      readWell: 2,
      lastReadAt: START + 5 * MINUTE,
      // The last page says where the text ends.
      keptUnits: [40_002, 40_002],
      reads: [
        { way: "id", part: { unit: "utf16", from: 16_000, to: 32_000 }, outcome: "read", chars: 16_000 },
        { way: "id", part: { unit: "utf16", from: 32_000, to: 40_002 }, outcome: "read", chars: 8_002 },
        { way: "id", outcome: "refused" },
      ],
    });
    expect(second).toMatchObject({ use: "never", reads: [], repeatCount: 0, keptUnits: [16_000, 131_072] });
    expect(third).toMatchObject({ use: "repeated", repeatCount: 1 });
    expect(third?.repeats[0]?.line).toBeGreaterThan(third?.line ?? 0);

    const never = await pageOf(talk, { use: "never" });
    expect(never).toMatchObject({ total: 1, counts: page.counts, rows: [{ use: "never" }] });
  });

  it("do not count what ran beside them in one request as a repeat", async () => {
    const talk = new Conversation();
    await talk.large(1, "shop_list", { page: 1 }, "a".repeat(30_000));
    talk.call(1, "shop_list", { page: 1 }, "the same, asked for in one request", { message: "msg_toolu_1" });
    expect((await pageOf(talk)).rows).toMatchObject([{ repeatCount: 0, use: "never" }]);
    talk.call(2, "shop_list", { page: 1 }, "again");
    expect((await pageOf(talk)).rows).toMatchObject([{ repeatCount: 1, use: "repeated" }]);
  });

  it("are unknown where a later call's arguments are not there", async () => {
    const talk = new Conversation();
    await talk.large(1, "shop_list", { page: 1 }, "a".repeat(30_000));
    talk.answer(2, "toolu_lost", "of a call that is not in the log", false);
    expect((await pageOf(talk)).rows).toMatchObject([{ use: "unknown", unknownCalls: 1 }]);
  });

  it("are readable for an hour and among the sixteen newest, at the end, at a request and now", async () => {
    const talk = new Conversation();
    for (let at = 0; at < 18; at++) await talk.large(at + 1, "shop_list", { page: at }, "z".repeat(30_000));
    talk.call(70, "noop", {}, "done");
    const states = async (asked: Partial<HandlesAsked>, now?: number): Promise<string> =>
      (await pageOf(talk, asked, now)).rows.map(({ why }) => why[0]).join("");
    // Saved in minutes 1 to 18; the end is minute 70. The notices state no sizes: with the greatest five fit into 2 MiB.
    expect(await states({})).toBe(`${"e".repeat(10)}${"s".repeat(3)}${"k".repeat(5)}`);
    // When request 18 is sent seventeen are there, of which the first was pushed out.
    expect(await states({ moment: { kind: "call", thread: null, call: 18 } })).toBe(
      `p${"s".repeat(11)}${"k".repeat(5)}n`,
    );
    expect(await states({ moment: { kind: "now" } }, START + 30 * MINUTE)).toBe(`pp${"s".repeat(11)}${"k".repeat(5)}`);
    expect(await states({ moment: { kind: "now" } }, START + 500 * MINUTE)).toBe("e".repeat(18));
    const page = await pageOf(talk, { moment: { kind: "call", thread: null, call: 9_999 } });
    expect(page.calls?.count).toBe(19);
    expect(page.at).toBe(START + 70 * MINUTE);
  });

  it("are none where there are none", async () => {
    const talk = new Conversation();
    talk.call(1, "noop", {}, "done");
    expect(await pageOf(talk)).toMatchObject({
      counts: { never: 0, read: 0, repeated: 0, unknown: 0 },
      total: 0,
      rows: [],
      omitted: 0,
    });
  });
});
