import { describe, expect, it } from "vitest";
import { CallArguments } from "../../../extension/src/core/transcript/callArguments";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { SAMPLES } from "./samples";
import { jsonLines, memorySource, read } from "./support";

async function argumentsOf(content: string) {
  const index = await read(content);
  const source = memorySource(content);
  let records = 0;
  const args = new CallArguments(index, async ({ start, end }) => {
    records++;
    return nodeUtf8.decode(await source.read(start, end)).text;
  });
  const found = await Promise.all(index.results.map((result) => args.of(result)));
  return { index, found, records };
}

describe("the arguments of calls", () => {
  it("are those of the call with the result's id, also where a thread uses an id again", async () => {
    const call = (id: string, n: number) => ({
      role: "assistant",
      content: "",
      tool_calls: [{ id, type: "function", function: { name: "t", arguments: `{"n":${n}}` } }],
    });
    const answer = (id: string) => ({ role: "tool", tool_call_id: id, content: "r" });
    const { found } = await argumentsOf(
      jsonLines({ role: "user", content: "u" }, call("a", 1), answer("a"), call("a", 2), answer("a"), answer("x")),
    );
    expect(found).toEqual(['{"n":1}', '{"n":2}', undefined]);
  });

  it("cost one look at a record for all calls in it", async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
    const calls = ids.map((id) => ({ id, type: "function", function: { name: "t", arguments: `"${id}"` } }));
    const answers = ids.map((id) => ({ role: "tool", tool_call_id: id, content: "r" }));
    const { found, records } = await argumentsOf(
      jsonLines({ role: "user", content: "u" }, { role: "assistant", content: "", tool_calls: calls }, ...answers),
    );
    expect(found).toEqual(ids.map((id) => `"${id}"`));
    expect(records).toBe(1);
  });

  /** They keep arguments beside the call's id, not under it; the policies that look at arguments are not theirs. */
  const APART = ["a Codex exec stream", "a Copilot debug log", "OpenHands V0 events", "a Hermes trajectory"];

  it.each(SAMPLES)("%s: found where the format measures arguments", async (name, _format, content) => {
    const { index, found } = await argumentsOf(content);
    const measured = index.messages.reduce((sum, { args }) => sum + args.codePoints, 0);
    const answered = index.results.filter(
      // An image that the provider made was asked for without arguments.
      ({ callId, tool, state, orphan }) =>
        callId !== undefined && tool !== "image_generation" && state !== "missing" && !orphan,
    );
    if (measured === 0 || answered.length === 0 || APART.includes(name)) return;
    expect(answered.filter(({ index: at }) => found[at] === undefined).map(({ callId }) => callId)).toEqual([]);
  });
});
