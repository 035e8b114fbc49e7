import { describe, expect, it } from "vitest";
import { parseCall, usesOf } from "../../../../extension/src/core/results/handles/callUse";
import { HandleNames } from "../../../../extension/src/core/results/handles/handleNames";
import { readPageReply } from "../../../../extension/src/core/results/handles/pageReply";
import { recordTime, timeAround } from "../../../../extension/src/core/results/handles/recordTime";

const PATH = "/home/user/.hermes/cache/spillover/call_5050cf060071.txt";
const ID = "r-0d9e8f70-1111-4222-8333-444455556666";
const WINDOWS = "C:\\Users\\alice\\tool-results\\toolu_01AB.txt";

function usesIn(tool: string | undefined, args: unknown): readonly string[] {
  const names = new HandleNames();
  names.add(PATH, true, 0);
  names.add(ID, false, 1);
  names.add(WINDOWS, true, 2);
  names.add("res_1a", false, 3);
  const call = parseCall(typeof args === "string" ? args : JSON.stringify(args));
  if (call === undefined) throw new Error("too long");
  return usesOf(tool, call, names).map(({ handle, reads, way, part }) => {
    const lines = part === undefined ? "" : ` ${part.unit} ${part.from}-${part.to ?? ""}`;
    return `${handle} ${reads} ${way}${lines}`;
  });
}

describe("what a call reads of what was left", () => {
  it.each<[string | undefined, unknown, readonly string[]]>([
    ["tool_result_read", { id: ID, offset: 16_000 }, ["1 yes id utf16 16000-"]],
    ["mcp__agents__tool_result_read", { id: ID }, ["1 yes id utf16 0-"]],
    ["tool_result_read", { id: "r-ffffffff-1111-4222-8333-444455556666", offset: 0 }, []],
    ["extract_from_result", { result_id: "res_1a", query: "totals" }, ["3 yes id"]],
    ["read_file", { path: PATH, offset: 1, limit: 200 }, ["0 yes file lines 1-201"]],
    ["read_file", { path: PATH }, ["0 yes file"]],
    ["Read", { file_path: WINDOWS, limit: 40 }, ["2 yes file lines 1-41"]],
    ["search_files", { pattern: "total", path: PATH }, ["0 yes file"]],
    ["write_file", { path: PATH, content: "x" }, []],
    ["TodoWrite", { todos: [{ content: `read ${PATH}` }] }, []],
    ["delegate_task", { goal: `Summarise ${PATH}` }, ["0 maybe file"]],
    [undefined, { path: PATH }, ["0 maybe file"]],
    ["terminal", { command: `cat ${PATH}` }, ["0 yes command"]],
    ["terminal", { command: `sed -n '10,20p' "${PATH}" | wc -l` }, ["0 yes command lines 10-21"]],
    ["Bash", { command: `cd /tmp && head -50 ${PATH}` }, ["0 yes command lines 1-51"]],
    ["Bash", { command: `head -n 5 ${PATH}` }, ["0 yes command lines 1-6"]],
    ["Bash", { command: `head ${PATH}` }, ["0 yes command lines 1-11"]],
    ["Bash", { command: `grep -c 'a|b; c' ${PATH}` }, ["0 yes command"]],
    ["Bash", { command: `LC_ALL=C sudo /usr/bin/tail -n 3 ${PATH}` }, ["0 yes command"]],
    ["Bash", { command: `python3 summarise.py ${PATH}` }, ["0 maybe command"]],
    ["Bash", { command: `rm ${PATH}` }, []],
    ["Bash", { command: `ls -l ${PATH}; pwd` }, []],
    ["Bash", { command: `curl https://example.org > ${PATH}` }, []],
    ["Bash", { command: `sed -i s/a/b/ ${PATH}` }, []],
    ["Bash", { command: `rm ${PATH}; cat ${PATH}` }, ["0 yes command"]],
    ["Bash", { command: "cd ~/.hermes/cache/spillover && cat call_5050cf060071.txt" }, ["0 maybe command"]],
    ["Bash", { command: "cat /elsewhere/call_5050cf060071.txt" }, ["0 maybe command"]],
    ["Bash", { command: "cat xcall_5050cf060071.txt call_5050cf060071.txt2" }, []],
    ["shell", { command: ["cat", PATH] }, ["0 yes command"]],
    ["shell", { command: ["bash", "-lc", `sed -n 1,5p ${PATH}`] }, ["0 yes command lines 1-6"]],
    ["execute_code", { code: `print(open("${PATH}").read()[:100])` }, ["0 yes code"]],
    ["execute_code", { code: `print("${PATH}")` }, ["0 maybe code"]],
    ["Bash", `cat ${PATH}`, ["0 yes command"]],
  ])("%s %j", (tool, args, expected) => {
    expect(usesIn(tool, args)).toEqual(expected);
  });

  it("sees one call behind the same arguments in another order, and another behind others", () => {
    const of = (text: string): string | undefined => parseCall(text)?.canonical;
    expect(of('{"a":1,"b":[{"c":"x","d":null}]}')).toBe(of('{ "b" : [ {"d":null,"c":"x"} ], "a":1 }'));
    expect(of('{"a":1}')).not.toBe(of('{"a":"1"}'));
    expect(of('{"a":[1,2]}')).not.toBe(of('{"a":[2,1]}'));
    expect(of('{"2":"x","1":"y"}')).toBe(of('{"1":"y","2":"x"}'));
  });

  it("takes no longer for thousands of paths that end alike, and finds the one that is named in full", () => {
    const names = new HandleNames();
    const path = (at: number): string => `/tmp/run-${at}/stdout-of-it.txt`;
    for (let at = 0; at < 20_000; at++) names.add(path(at), true, at);
    const call = parseCall(JSON.stringify({ command: `cat ${path(7)}; cat /elsewhere/stdout-of-it.txt` }));
    if (call === undefined) throw new Error("too long");
    const uses = usesOf("Bash", call, names);
    expect(uses.filter(({ reads }) => reads === "yes").map(({ handle }) => handle)).toEqual([7]);
    // The last part alone may stand for any of the newest.
    const maybe = uses.filter(({ reads }) => reads === "maybe").map(({ handle }) => handle);
    expect(maybe).toHaveLength(32);
    expect(Math.min(...maybe)).toBe(19_968);
  });

  it("knows arguments that were shortened afterwards", () => {
    expect(parseCall('{"command":"cat /a/b"}')?.cut).toBe(false);
    expect(parseCall('{"command":"cat /a...[truncated]"}')?.cut).toBe(true);
  });
});

describe("the words behind a page", () => {
  it("tell where the page ends and where the next one begins", () => {
    const page = "y".repeat(16_000);
    expect(readPageReply(`${page}\n\n[Read more with tool_result_read id "${ID}" and offset 32000.]`)).toEqual({
      units: 16_000,
      nextOffset: 32_000,
    });
    expect(readPageReply("end\n\n[End of retained result.]")).toEqual({ units: 3, nextOffset: undefined });
    const cut = "end\n\n[End of retained result. The original tail exceeded the storage limit and was omitted.]";
    expect(readPageReply(cut)?.units).toBe(3);
    expect(readPageReply("That result is not there.")).toBeUndefined();
  });
});

describe("times", () => {
  it("are those of the innermost object that states one, with a zone", () => {
    expect(recordTime({ timestamp: "2026-09-07T16:00:39.280Z" }, [])).toBe(Date.UTC(2026, 8, 7, 16, 0, 39, 280));
    expect(
      recordTime({ timestamp: 1, messages: [{ timestamp: 1_786_636_800.5, content: "x" }] }, [
        "messages",
        0,
        "content",
      ]),
    ).toBe(1_786_636_800_500);
    expect(recordTime({ time: { start: 1_786_636_800_000, end: 1_786_636_801_000 } }, [])).toBe(1_786_636_801_000);
    expect(recordTime({ timestamp: "2026-09-07T16:00:39" }, [])).toBeUndefined();
    expect(recordTime(undefined, ["a"])).toBeUndefined();
  });

  it("are found on the line around a wrapped record", () => {
    expect(timeAround('{"at":1786636800000,"dir":"in","source":"claude","msg":', "}")).toBe(1_786_636_800_000);
    expect(timeAround('{"dir":"in","msg":', ',"at":"2026-08-14T00:00:00Z"}')).toBe(Date.UTC(2026, 7, 14));
    expect(timeAround('{"msg":', "}")).toBeUndefined();
  });
});
