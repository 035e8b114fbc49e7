import { expect, it } from "vitest";
import { hostLog } from "../../../extension/src/client/log";
import type { SecretFinder } from "../../../extension/src/core/ports";
import { secretFinder } from "../../../extension/src/node/secrets";
import { settle } from "./fakes";

function channel() {
  const lines: string[] = [];
  const take = (level: string) => (line: string | Error) => void lines.push(`${level} ${line}`);
  return { lines, info: take("info"), warn: take("warn"), error: take("error") };
}

it("the log masks secrets in messages and in errors, and keeps its order", async () => {
  const token = `gh${"p_"}${"q7Rk".repeat(9)}`;
  const out = channel();
  const finder = secretFinder();
  // The first line waits for the rules; what follows must not overtake it.
  const log = hostLog(out, finder);
  log.warn(`Reading ${token} failed`);
  log.error("Inspector", new Error(`no ${token} here`));
  log.info("done");
  await finder.find("the rules are there");
  await settle();
  expect(out.lines).toHaveLength(3);
  expect(out.lines[0]).toBe("warn Reading [secret: github] failed");
  expect(out.lines[1]).toMatch(/^error Inspector .*\bno \[secret: github\] here\n/);
  expect(out.lines[2]).toBe("info done");
});

it("a message that could not be checked is left out, and said to be", async () => {
  const broken: SecretFinder = { find: () => Promise.reject(new Error("no rules")) };
  const out = channel();
  hostLog(out, broken).error("Inspector", new Error("who knows what"));
  await settle();
  expect(out.lines).toEqual(["error A message could not be checked for secrets and is left out here."]);
});
