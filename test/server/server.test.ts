import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { CancellationTokenSource, type Diagnostic } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { corpusPath, hasCorpus } from "../corpus";
import { KEY, withValue } from "../unit/config/samples";
import { HOME_CONFIG, Session, type SessionOptions } from "./session";

const sessions: Session[] = [];

async function start(options: SessionOptions = {}): Promise<Session> {
  const session = await Session.start(options);
  sessions.push(session);
  return session;
}

afterEach(() => {
  for (const session of sessions.splice(0)) {
    session.dispose();
    expect(session.warnings).toEqual([]);
  }
});

const codesOf = (diagnostics: readonly Diagnostic[]): readonly unknown[] =>
  diagnostics.map((diagnostic) => diagnostic.code);

describe("diagnostics", () => {
  it("appear on opening and go away with the edit that mends the value", async () => {
    const session = await start();
    expect(codesOf(await session.open(withValue("1e4")))).toEqual(["threshold-non-whole-string"]);
    expect(await session.edit(withValue("10000"))).toEqual([]);
    expect(codesOf(await session.edit(withValue("true")))).toEqual(["threshold-boolean"]);
  });

  it("are handed out when the client asks for them", async () => {
    const session = await start({ pulls: true });
    await session.openQuietly(withValue("1e4"));
    expect(codesOf(await session.pull())).toEqual(["threshold-non-whole-string"]);
    await session.change(withValue("10000"));
    expect(await session.pull()).toEqual([]);
    expect(session.pushes).toBe(0);
  });

  it("follow incremental edits", async () => {
    const session = await start();
    await session.open(withValue("1e4"));
    const range = { start: { line: 1, character: KEY.length + 4 }, end: { line: 1, character: KEY.length + 7 } };
    const said = session.said(HOME_CONFIG, 2);
    await session.notify("textDocument/didChange", {
      textDocument: { uri: HOME_CONFIG, version: 2 },
      contentChanges: [{ range, text: "20000" }],
    });
    expect(await said).toEqual([]);
  });

  it("are cleared when the document closes", async () => {
    const session = await start();
    expect(await session.open(withValue("1e4"))).toHaveLength(1);
    await session.notify("textDocument/didClose", { textDocument: { uri: HOME_CONFIG } });
    // Messages keep their order, so the answer comes after whatever closing caused.
    expect(await session.hover(0, 0)).toBeNull();
    expect(session.last()).toEqual([]);
  });

  it("look only at the last of a burst of edits", async () => {
    const session = await start();
    await session.open(withValue("1"));
    const before = session.pushes;
    const last = session.said(HOME_CONFIG, 31);
    for (let edit = 0; edit < 30; edit += 1) await session.change(withValue(edit === 29 ? "1e4" : String(edit + 1)));
    expect(codesOf(await last)).toEqual(["threshold-non-whole-string"]);
    expect(session.pushes - before).toBeLessThan(30);
  });

  it("a request that an edit overtook is cancelled", async () => {
    const session = await start({ pulls: true, defer: (step) => setTimeout(step, 20) });
    await session.openQuietly(withValue("1e4"));
    const source = new CancellationTokenSource();
    const pulled = session.client.sendRequest(
      "textDocument/diagnostic",
      { textDocument: { uri: HOME_CONFIG } },
      source.token,
    );
    source.cancel();
    await expect(pulled).rejects.toMatchObject({ code: -32800 });
  });
});

describe("which documents", () => {
  const stray = `${KEY}: 1\nother: 1\n`;
  const broken = "a: [\n";

  it.each([
    "file:///home/user/.hermes/config.yaml",
    "file:///srv/agents/home/config.yaml",
    "file:///srv/agents/home/profiles/work/config.yaml",
    "file:///w/project/.hermes/config.yaml",
    "file:///w/project/.hermes/profiles/x%20y/config.yaml",
  ])("%s is agent config by its place", async (uri) => {
    const session = await start({ init: { homes: ["/srv/agents/home"] } });
    expect(codesOf(await session.open(broken, uri))).toEqual(["yaml-syntax"]);
  });

  it.each(["file:///w/project/config.yaml", "file:///srv/agents/other/config.yaml", "untitled:Untitled-1"])(
    "%s is none without the key",
    async (uri) => {
      const session = await start({ init: { homes: ["/srv/agents/home"] } });
      expect(await session.open(broken, uri)).toEqual([]);
      expect(codesOf(await session.edit(withValue("1e4"), uri))).toEqual(["threshold-non-whole-string"]);
    },
  );

  it("files that a setting names become agent config at once", async () => {
    const session = await start();
    const uri = "file:///w/agents/my.yaml";
    expect(await session.open("tools: foo\n", uri)).toEqual([]);
    session.forget(uri);
    await session.settings({ files: ["agents/*.yaml"] });
    expect(codesOf(await session.said(uri, 1))).toEqual(["section-not-mapping"]);
  });

  it("JSON and JSONC with the key are looked at, other languages are not", async () => {
    const session = await start();
    const text = `{"tools": {"${KEY}": 1e4}}`;
    expect(codesOf(await session.open(text, "file:///w/a.json", "json"))).toEqual(["threshold-float"]);
    expect(codesOf(await session.open(`// c\n${text}`, "file:///w/a.jsonc", "jsonc"))).toEqual(["threshold-float"]);
    expect(await session.open(text, "file:///w/a.md", "markdown")).toEqual([]);
    expect(codesOf(await session.open(stray, "file:///w/b.yaml"))).toEqual(["misplaced-key"]);
  });
});

describe("settings", () => {
  it("change the loader", async () => {
    const session = await start();
    const text = `tools:\n  ${KEY}: 1\n  ${KEY}: 2\n`;
    expect(codesOf(await session.open(text))).toEqual(["yaml-duplicate-key"]);
    session.forget();
    await session.settings({ loader: "pyyaml" });
    expect(codesOf(await session.said(HOME_CONFIG, 1))).toContain("duplicate-key");
  });

  it("ask a pulling client to look again", async () => {
    const session = await start({ pulls: true });
    await session.settings({ loader: "pyyaml" });
    await session.hover(0, 0);
    await session.hover(0, 0);
    expect(session.refreshes).toBe(1);
  });

  it("of other extensions or of a wrong shape do no harm", async () => {
    const session = await start({
      init: { homes: 7, settings: { loader: 3, files: "x", contextLength: "y" } } as never,
    });
    await session.notify("workspace/didChangeConfiguration", { settings: { other: 1 } });
    await session.notify("workspace/didChangeConfiguration", { settings: null });
    expect(codesOf(await session.open(withValue("1e4")))).toEqual(["threshold-non-whole-string"]);
  });

  it("give the window", async () => {
    const session = await start({ init: { settings: { loader: "ruamel", files: [], contextLength: 65_536 } } });
    await session.open(withValue("20000"));
    expect(JSON.stringify(await session.hover(1, 5))).toContain("window 65,536");
  });
});

describe("features", () => {
  it("hover, completion and inlay hints answer", async () => {
    const session = await start();
    await session.open(withValue("1e4"));
    expect(JSON.stringify(await session.hover(1, 5))).toContain("Rejected");
    const position = { line: 1, character: KEY.length + 4 };
    const items = await session.request<{ label: string }[]>("textDocument/completion", {
      textDocument: { uri: HOME_CONFIG },
      position,
    });
    expect(items.map((item) => item.label)).toContain("20000");
    await session.edit(withValue("20000"));
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    expect(
      await session.request("textDocument/inlayHint", { textDocument: { uri: HOME_CONFIG }, range }),
    ).toMatchObject([{ label: "≈ 5k tok" }]);
  });

  it("a quick fix, applied, makes the diagnostic go away", async () => {
    const session = await start();
    const text = `# mine\r\n${withValue("1e4 # why").replaceAll("\n", "\r\n")}`;
    const [diagnostic] = await session.open(text);
    if (diagnostic === undefined) throw new Error("no diagnostic");
    const [preferred] = await session.actions(diagnostic);
    const edits = preferred?.edit?.changes?.[HOME_CONFIG] ?? [];
    const fixed = TextDocument.applyEdits(TextDocument.create(HOME_CONFIG, "yaml", 1, text), edits);
    expect(fixed).toBe(`# mine\r\n${withValue("10000 # why").replaceAll("\n", "\r\n")}`);
    expect(await session.edit(fixed)).toEqual([]);
  });

  it("diagnostics link to the documentation that the client names", async () => {
    const session = await start({ init: { docs: "command:explain?{code}" } });
    const [diagnostic] = await session.open(withValue("true"));
    expect(diagnostic?.codeDescription?.href).toBe("command:explain?threshold-boolean");
  });
});

describe("any input", () => {
  const rotten = [
    "",
    "\u0000",
    "\ufeff",
    "\ud800",
    withValue("1e4").slice(0, -3),
    `tools: {${KEY}: {`,
    `${"[".repeat(50_000)}${KEY}`,
    `${KEY}${"\n- ".repeat(20_000)}`,
    `a: &a [*a, ${KEY}]`,
    `__proto__:\n  ${KEY}: 1\n`,
    `tools:\n\t${KEY}: 1`,
    `%YAML 9.9\n---\n${KEY}`,
    `? [${KEY}\n`,
    `"tools":\r  ${KEY}: 1\r`,
  ];

  it("is answered and leaves the server alive", async () => {
    const session = await start();
    await session.open("a: 1\n");
    for (const text of rotten) {
      expect(Array.isArray(await session.edit(text))).toBe(true);
      await session.hover(0, 0);
      const range = { start: { line: 0, character: 0 }, end: { line: 5, character: 0 } };
      await session.request("textDocument/codeAction", {
        textDocument: { uri: HOME_CONFIG },
        range,
        context: { diagnostics: [] },
      });
      await session.request("textDocument/completion", { textDocument: { uri: HOME_CONFIG }, position: range.end });
    }
    expect(await session.edit("a: 1\n")).toEqual([]);
  });

  it("of unknown documents is answered with nothing", async () => {
    const session = await start();
    expect(await session.hover(0, 0, "file:///nowhere.yaml")).toBeNull();
  });
});

describe.skipIf(!hasCorpus)("the commented template of Hermes", () => {
  it("gives no diagnostics, at its own length and at 126,000 characters", async () => {
    const session = await start();
    const template = readFileSync(corpusPath("hermes-config", "cli-config.example.yaml"), "utf8");
    expect(await session.open(template)).toEqual([]);
    const long = `${template}\n${"# a comment that makes the file longer\n".repeat(800)}`;
    expect(long.length).toBeGreaterThan(126_000);
    expect(await session.edit(long)).toEqual([]);
  });
});

describe("what surrounds a config", () => {
  const text = `tools:\n  ${KEY}: ${"$"}{LIMIT}\n`;

  it("expands from the .env beside it first, then from the process, and says which", async () => {
    const files: Record<string, string> = { "/home/user/.hermes/.env": "LIMIT=20000\n" };
    const session = await start({ world: { env: { LIMIT: "5" }, files } });
    expect(await session.open(text)).toEqual([]);
    expect(JSON.stringify(await session.hover(1, 50))).toMatch(
      /20,000 chars per result.*from the \.env beside this file/,
    );
    // The file counts as it is now, without an edit of the config.
    delete files["/home/user/.hermes/.env"];
    expect(JSON.stringify(await session.hover(1, 50))).toMatch(/✓ 5 chars per result.*from the editor's environment/);
  });

  it("flags what is set nowhere, and what a variable really holds", async () => {
    const session = await start({ world: { env: { WORD: "many" }, files: {} } });
    expect(codesOf(await session.open(text))).toEqual(["variable-unset"]);
    expect(codesOf(await session.edit(`tools:\n  ${KEY}: ${"$"}{WORD}\n`))).toEqual(["threshold-non-whole-string"]);
    expect(codesOf(await session.edit(`compression:\n  max_attempts: ${"$"}{WORD}\n`))).toEqual(["setting-ignored"]);
    expect(codesOf(await session.edit(`compression:\n  max_attempts: ${"$"}{LIMIT:-3}\n`))).toEqual([
      "variable-syntax",
    ]);
  });

  it("greys out what the managed layer overrides", async () => {
    const session = await start({
      world: {
        env: { HERMES_MANAGED_DIR: "/managed" },
        files: { "/managed/config.yaml": "tool_output: {max_lines: 9}\n" },
      },
    });
    const [diagnostic, ...others] = await session.open("tool_output: {max_lines: yes, max_bytes: 1}\n");
    expect(others).toEqual([]);
    expect(diagnostic).toMatchObject({ code: "managed-override", severity: 4, tags: [1] });
    expect(diagnostic?.message).toContain("/managed/config.yaml sets tool_output.max_lines to 9");
  });
});

describe("explaining a config that is not open", () => {
  it("takes its text and its surroundings, and the window that is asked about", async () => {
    const session = await start({
      world: { env: {}, files: { "/home/user/.hermes/.env": "LIMIT=20000\n" } },
    });
    const ask = async (languageId: string) =>
      session.request<{ markdown: string } | null>("contextBudget/explainConfigText", {
        uri: HOME_CONFIG,
        languageId,
        text: `tools:\n  ${KEY}: ${"$"}{LIMIT}\n`,
        contextWindow: 64_000,
      });
    expect((await ask("yaml"))?.markdown).toMatch(/^\| per result \| 20,000 /m);
    expect((await ask("yaml"))?.markdown).toContain("The numbers are for a window of 64,000 tokens, as asked for.");
    expect(await ask("plaintext")).toBeNull();
  });
});

describe("explaining a config", () => {
  const explain = async (session: Session, uri = HOME_CONFIG): Promise<string | undefined> =>
    (await session.request<{ markdown: string } | null>("contextBudget/explainConfig", { uri }))?.markdown;
  const rowOf = (text: string | undefined, start: string): string | undefined =>
    text?.split("\n").find((line) => line.startsWith(`| ${start}`));

  it("shows what is written, what applies, from where, and what follows", async () => {
    const session = await start({
      world: {
        env: { HERMES_MANAGED_DIR: "/managed" },
        files: {
          "/home/user/.hermes/.env": "LIMIT=20000\n",
          "/managed/config.yaml": "tool_output: {max_lines: 9}\n",
          "/home/user/.hermes/profiles/work/config.yaml": "compression: {protect_last_n: 5}\n",
          "/home/user/.hermes/profiles/broken/config.yaml": "a: [\n",
        },
      },
    });
    await session.open(
      `model: {default: m, context_length: 200000}\ntools:\n  ${KEY}: ${"$"}{LIMIT}\ntool_output: {max_lines: 5, max_bytes: yes}\ncompression: {threshold: 0.6}\n`,
    );
    const text = await explain(session);
    expect(rowOf(text, `\`tools.${KEY}\``)).toMatch(
      /\| `\$\{LIMIT\}` \| `20000` \| 20,000 characters \| this file \| Tool results longer/,
    );
    expect(rowOf(text, "`tool_output.max_lines`")).toContain("| 9 lines | managed layer, overrides this file |");
    expect(rowOf(text, "`tool_output.max_bytes`")).toContain("| ⚠ 1 character | this file |");
    expect(rowOf(text, "per result")).toBe("| per result | 20,000 (≈ 5k tok) |");
    expect(rowOf(text, "`read_file`")).toBe("| `read_file` | never |");
    expect(rowOf(text, "**compaction starts at**")).toBe("| **compaction starts at** (tokens) | 150,000 |");
    expect(text).toContain("The share of the window was raised to 0.75");
    expect(text).toContain("`tool_output.max_bytes`: 1, because a boolean counts as 1.");
    expect(rowOf(text, "key | this file | work")).toBeDefined();
    expect(text).toContain("| `compression.protect_last_n` | 20 messages | 5 messages |");
    expect(text).toContain("Not readable: `broken`.");
    expect(text).toContain("`/home/user/.hermes/.env` (read)");
    expect(text).toContain("`/managed/config.yaml` (read)");
  });

  it("says what Hermes runs with when the file does not load", async () => {
    const session = await start({
      world: {
        env: {},
        files: {
          "/home/user/.hermes/backups/config/config.yaml.20260801": "a: 1\n",
          "/home/user/.hermes/backups/config/config.yaml.20260802": "a: [\n",
        },
      },
    });
    await session.open("a: [\n");
    const text = await explain(session);
    expect(text).toContain("**✗ The file does not load.**");
    expect(text).toContain("takes the newest good copy, `/home/user/.hermes/backups/config/config.yaml.20260801`.");
    await session.edit("a: &a [*a]\n");
    expect(await explain(session)).toContain("**✗ The agent cannot start with this file**");
    await session.edit("- 1\n");
    expect(await explain(session)).toContain("Its root is no mapping.");
    await session.edit("");
    expect(await explain(session)).toContain("holds no settings");
  });

  it("looks at nothing around a config in a workspace that is not trusted", async () => {
    const files = {
      "/home/user/.hermes/.env": "LIMIT=20000\n",
      "/etc/hermes/config.yaml": "tool_output: {max_lines: 9}\n",
    };
    const session = await start({ init: { trusted: false }, world: { env: {}, files } });
    const text = `tools: {${KEY}: "${"$"}{LIMIT}"}\ntool_output: {max_lines: 5}\n`;
    expect(codesOf(await session.open(text))).toEqual(["variable-unset"]);
    expect(await explain(session)).toContain("This workspace is not trusted");
  });

  it("names the active profile, and what blocks writing", async () => {
    const uri = "file:///home/user/.hermes/profiles/work/config.yaml";
    const files: Record<string, string> = {
      "/home/user/.hermes/active_profile": "night\n",
      "/home/user/.hermes/profiles/work/.managed": "",
      "/home/user/.hermes/config.yaml": "tool_output: {max_lines: 3}\n",
    };
    const session = await start({ world: { env: {}, files } });
    await session.open("a: 1\n", uri);
    const text = await explain(session, uri);
    expect(text).toContain("(profile `work`)");
    expect(text).toContain("The active profile of this home is `night`; this file counts for `work`.");
    expect(text).toContain("because of `/home/user/.hermes/profiles/work/.managed`");
    expect(rowOf(text, "key | this file | default")).toBeDefined();
    expect(text).toContain("| `tool_output.max_lines` | 2,000 lines | 3 lines |");
  });

  it("answers null for documents that are closed or something else", async () => {
    const session = await start();
    expect(await explain(session, "file:///none.yaml")).toBeUndefined();
    await session.open(withValue("1"), "file:///w/x.yaml");
    expect(await explain(session, "file:///w/x.yaml")).toBeUndefined();
  });

  it("is linked from hovers where the client has a command for it", async () => {
    const session = await start({ init: { explainCommand: "contextBudget.explainConfig" } });
    await session.open(withValue("1"));
    expect(JSON.stringify(await session.hover(1, 4))).toContain(
      "[Explain this config](command:contextBudget.explainConfig?",
    );
  });

  it("bounds the number of profiles", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`/home/user/.hermes/profiles/p${index}/config.yaml`, "a: 1\n"]),
    );
    const active = { "/home/user/.hermes/active_profile": "p9999\n" };
    const last = { "/home/user/.hermes/profiles/p9999/config.yaml": "compression: {protect_last_n: 5}\n" };
    const session = await start({ world: { env: {}, files: { ...files, ...last, ...active } } });
    await session.open("a: 1\n");
    const text = await explain(session);
    expect(text).toContain("9,980 more profiles were not looked at.");
    // The one that is active is looked at, whatever its name.
    expect(text).toContain("| key | this file | p9999 |");
  });
});

describe("the summary of a config", () => {
  it("is the per-result cap in force, and says where it comes from", async () => {
    const session = await start();
    const summary = async (): Promise<unknown> => session.request("contextBudget/configSummary", { uri: HOME_CONFIG });
    await session.open("a: 1\n");
    expect(await summary()).toMatchObject({ text: "8,000–100,000 chars per result", isBroken: false });
    await session.edit("model: {context_length: 65536}\n");
    expect(await summary()).toMatchObject({ text: "39,321 chars per result" });
    await session.edit(withValue("20000"));
    expect(await summary()).toMatchObject({ text: "20,000 chars per result" });
    await session.edit("model: {context_length: 32000}\n");
    expect(await summary()).toMatchObject({ text: "agent does not start", isBroken: true });
    await session.edit("a: [\n");
    expect(await summary()).toMatchObject({ text: "8,000–100,000 chars per result", isBroken: true });
    expect(await session.request("contextBudget/configSummary", { uri: "file:///x" })).toBeNull();
  });
});

describe("a secret in a config", () => {
  // Longer than what a message shows of a value.
  const secret = `sk-${"proj-"}${"aB3_".repeat(18)}xyT3Blbk${"FJ"}${"dE5-".repeat(18)}xy`;
  const text = withValue(`"${secret}"`);

  it("is masked in problems, also where only its beginning is shown", async () => {
    const session = await start();
    const [diagnostic, ...more] = await session.open(text);
    expect(more).toEqual([]);
    expect(diagnostic?.message).toContain("[secret: openai]");
    expect(JSON.stringify(diagnostic)).not.toContain(secret.slice(0, 12));
  });

  it("is masked in the hover, in what fixes are called, and not in what they write", async () => {
    const session = await start();
    const [diagnostic] = await session.open(text);
    const hover = await session.hover(1, KEY.length + 8);
    expect(JSON.stringify(hover)).toContain("[secret: openai]");
    expect(JSON.stringify(hover).replaceAll(/\\+/g, "")).not.toContain(secret.slice(0, 12));
    if (diagnostic === undefined) throw new Error("no problem was found");
    for (const { edit, ...said } of await session.actions(diagnostic)) {
      expect(JSON.stringify(said)).not.toContain(secret.slice(0, 12));
      expect(JSON.stringify(edit)).not.toContain("[secret:");
    }
  });
});
