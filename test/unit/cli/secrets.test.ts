import { describe, expect, it } from "vitest";
import { fileExplainer } from "../../../extension/src/cli/fileExplainer";
import { run } from "../../../extension/src/cli/main";
import { NEVER_CANCELLED, type SecretFinder } from "../../../extension/src/core/ports";
import { type FakeFile, FakeOut, fakeIo } from "./fakeIo";
import { validated } from "./schema";

const TOKEN = `gh${"p_"}${"q7Rk".repeat(9)}`;
const SIGN = "[secret: github]";
const PATH = `/home/someone/.hermes/cache/spillover/${TOKEN}.txt`;
const CHAT = JSON.stringify({
  model: "m-1",
  messages: [
    { role: "user", content: "hello" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `call ${TOKEN}`, type: "function", function: { name: `env_${TOKEN}`, arguments: "{}" } }],
    },
    {
      role: "tool",
      tool_call_id: `call ${TOKEN}`,
      content: `<persisted-output>\nThis tool result was too large (41,203 characters, 40.2 KB).\nFull output saved to: ${PATH}\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 50 chars):\nGITHUB_TOKEN=${TOKEN}\n\n...\n</persisted-output>`,
    },
  ],
});

/** Longer than what a message shows of a value. */
const LONG = `sk-${"proj-"}${"aB3_".repeat(18)}xyT3Blbk${"FJ"}${"dE5-".repeat(18)}xy`;
const CONFIG = `model:\n  api_key: ${TOKEN}\ntools:\n  tool_result_persist_threshold_chars: "${LONG}"\n`;
const FILES: Readonly<Record<string, FakeFile>> = { "/work/t.json": CHAT, "/work/config.yaml": CONFIG };

async function written(argv: readonly string[], options: { readonly isTTY?: boolean } = {}): Promise<string> {
  const io = { ...fakeIo(FILES), stdout: new FakeOut(options) };
  expect(await run(argv, io)).toBeLessThan(2);
  expect(io.stdout.text.length).toBeGreaterThan(40);
  return io.stdout.text + io.stderr.text;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["inspect", "t.json"],
  ["inspect", "t.json", "--json"],
  ["inspect", "t.json", "t.json", "--json"],
  ["simulate", "t.json", "--persist", "100"],
  ["simulate", "t.json", "--persist", "100", "--json"],
  ["simulate", "t.json", "--persist", "100", "--markdown"],
  ["ab", "t.json", "--markdown"],
  ["check", "config.yaml"],
  ["check", "config.yaml", "--json"],
];

describe("the command line", () => {
  it.each(COMMANDS)("writes no secret: %s %s %s %s %s", async (...argv) => {
    const out = await written(argv.filter((word) => word !== undefined));
    expect(out).not.toContain(TOKEN.slice(0, 16));
    expect(out.replaceAll("\\_", "_")).not.toContain(TOKEN.slice(0, 16));
    expect(out).not.toContain(LONG.slice(0, 16));
  });

  it("masks a path before it is shortened to fit a terminal", async () => {
    const out = await written(["inspect", "t.json"], { isTTY: true });
    expect(out).not.toContain(TOKEN.slice(0, 8));
    expect(out).toContain(SIGN);
  });

  it("stays JSON, and shows what was asked for", async () => {
    const masked = validated(await written(["inspect", "t.json", "--json"]), "inspectReport");
    expect(JSON.stringify(masked)).toContain(`GITHUB_TOKEN=${SIGN}`);
    const shown = validated(await written(["inspect", "t.json", "--json", "--show-secrets"]), "inspectReport");
    expect(JSON.stringify(shown)).toContain(`GITHUB_TOKEN=${TOKEN}`);
  });

  it("writes nothing that could not be checked", async () => {
    const broken: SecretFinder = { find: () => Promise.reject(new Error("no rules")) };
    const io = { ...fakeIo(FILES), secrets: broken };
    await expect(run(["inspect", "t.json"], io)).rejects.toThrow("no rules");
    expect(io.stdout.text).toBe("");
  });

  it("explains a config to agents without the beginning of a long secret in it", async () => {
    const explained = await fileExplainer(fakeIo(FILES))(
      { config: "/work/config.yaml", model: undefined, contextWindow: undefined },
      NEVER_CANCELLED,
    );
    expect(explained).toMatchObject({ ok: true, value: expect.stringContaining("[secret: openai]") });
    expect(JSON.stringify(explained).replaceAll(/\\+/g, "")).not.toContain(LONG.slice(0, 12));
  });

  it("takes the option where something is shown only", async () => {
    const io = fakeIo(FILES);
    expect(await run(["mcp", "--show-secrets"], io)).toBe(2);
    expect(io.stderr.text).toContain("--show-secrets belongs to check and inspect and simulate and ab");
  });
});
