import { describe, expect, it } from "vitest";
import { ThreadLists } from "../../../extension/src/client/sessions/threadLists";
import { ok } from "../../../extension/src/core/model/problem";
import type { Thread } from "../../../extension/src/core/model/transcript";
import { TITLE_UNITS } from "../../../extension/src/core/transcript/glance";
import { secretFinder } from "../../../extension/src/node/secrets";
import { readDetails } from "../../../extension/src/node/sessions/sessionDetails";
import { MemoryLog } from "../client/fakes";

const TOKEN = `gh${"p_"}${"q7Rk".repeat(9)}`;

async function titleOf(prompt: string): Promise<string | undefined> {
  const head = JSON.stringify({ type: "user", cwd: "/w", message: { role: "user", content: prompt } });
  const peek = async () => ({ bytes: head.length, mtimeMs: 1, head, tail: "" });
  return (await readDetails("/s.jsonl", peek, secretFinder()))?.title;
}

describe("a title from the first prompt", () => {
  it("is masked", async () => {
    expect(await titleOf(`Use ${TOKEN} to push`)).toBe("Use [secret: github] to push");
  });

  it("is masked before it is cut, wherever the cut falls", async () => {
    for (let at = TITLE_UNITS - TOKEN.length - 2; at < TITLE_UNITS; at++) {
      const title = (await titleOf(`${"x".repeat(at)} ${TOKEN} and more of the prompt`)) ?? "";
      expect(title.length).toBeLessThanOrEqual(TITLE_UNITS);
      expect(title).not.toContain(TOKEN.slice(0, 6));
    }
  });

  it("is masked where a key longer than any title begins it", async () => {
    const dashes = "-".repeat(5);
    const key = `${dashes}BEGIN PRIVATE KEY${dashes}\n${`MIIEvQ${"aB3+".repeat(400)}`}\n${dashes}END PRIVATE KEY${dashes}`;
    expect(await titleOf(`${key}\nWhat is this?`)).toBe("[secret: private key] What is this?");
  });
});

it("the sessions of a database are masked, but for the ids by which they are found", async () => {
  const thread: Thread = {
    id: TOKEN,
    title: `Deploy with ${TOKEN}`,
    kind: "main",
    model: undefined,
    startedAt: undefined,
  };
  const source = () => ({ threads: async () => ok([thread]), dispose: async () => undefined });
  const lists = new ThreadLists(source, new MemoryLog(), secretFinder());
  const found = await lists.of({ path: "/d.db", place: "/", label: "d", bytes: 1, mtimeMs: 1 } as never);
  expect(found.ok && found.value).toEqual([{ ...thread, title: "Deploy with [secret: github]" }]);
});
