import { createHash } from "node:crypto";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findSecrets } from "../../../extension/src/node/secretRules";
import { mayHoldSecrets } from "../../../extension/src/node/secretSigns";
import { Random } from "../../oracle/random";
import { CONTEXTS, TOKEN_KINDS } from "./tokens";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Every expression that the rules ask a text with, with its flags. */
function expressionsAsked(text: string): readonly string[] {
  const asked = new Set<string>();
  const original = RegExp.prototype[Symbol.matchAll];
  vi.spyOn(RegExp.prototype, Symbol.matchAll).mockImplementation(function (this: RegExp, subject: string) {
    asked.add(`${this.source} ${this.flags}`);
    return original.call(this, subject);
  });
  findSecrets(text);
  vi.restoreAllMocks();
  return [...asked].sort();
}

describe("the signs of secrets", () => {
  it("are those of the rules that are there: another rule, or another expression of one, needs another look at the list", () => {
    const asked = expressionsAsked("AKIA");
    // To the last letter: another branch of one may stand behind its beginning.
    expect(createHash("sha256").update(asked.join("\n")).digest("hex").slice(0, 16)).toBe("ffe5050a575e40e5");
    const beginnings = asked.map((source) => source.replace("(?<!\\p{L})", "").slice(0, 40));
    expect(beginnings).toMatchInlineSnapshot(`
      [
        "("|')?(AWS|aws|Aws)?_?(ACCOUNT|account|A",
        "(?:jdbc:)?mysql(?:x)?:\\/\\/(?:(?<username",
        "(?<prefix>vcp|vci|vca|vcr|vck)_[A-Za-z0-",
        "(?<type>ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_",
        "(?<type>github_pat)_[A-Za-z0-9_]{82}(?![",
        "(shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32",
        "SG\\.\\w{1,128}\\.\\w{1,128}([-_]?)\\w{1,128}",
        "dapi[A-Fa-f0-9]{32}(?:-[0-9])?(?![A-Fa-f",
        "dckr_pat_[a-zA-Z0-9_-]{27}(?![a-zA-Z0-9_",
        "figd_[A-Za-z0-9_-]{40,200}(?![A-Za-z0-9_",
        "glc_[A-Za-z0-9+/]{32,400}={0,2}(?![A-Za-",
        "glpat-[A-Za-z0-9_-]{20,128}(?![A-Za-z0-9",
        "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?![A",
        "gsk_[a-zA-Z0-9]{52}(?![a-zA-Z0-9]) gu",
        "hf_[a-zA-Z]{34}(?![a-zA-Z]) gu",
        "hvb\\.[A-Za-z0-9_-]{138,300}(?![A-Za-z0-9",
        "hvr\\.[A-Za-z0-9_-]{90,120}(?![A-Za-z0-9_",
        "hvs\\.[A-Za-z0-9_-]{90,120}(?![A-Za-z0-9_",
        "lin_api_[a-zA-Z0-9_]{32,128}(?![a-zA-Z0-",
        "npm_[A-Za-z0-9_]{36}(?![A-Za-z0-9_]) gu",
        "ntn_[0-9]{11}[A-Za-z0-9]{35}(?![A-Za-z0-",
        "ops_(ey[A-Za-z0-9+/=]{100,1280}fQ={0,2})",
        "sk-ant-api0\\d-[A-Za-z0-9_-]{90,128}AA(?!",
        "(?<protocol>(?:https?|ftp|ftps)):\\/\\/(?<",
        "-----BEGIN[ ]?(?:(?:RSA|DSA|EC|OPENSSH|P",
        "["']?(?:AWS|aws|Aws)?_?(?:SECRET|secret|",
        "\\b(?:xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-(?:\\",
        "\\b(A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|",
        "_authToken=([^$].*) g",
        "https:\\/\\/hooks\\.slack\\.com\\/services\\/T",
        "https?:\\/\\/(.{1,256}):x-oauth-basic@gith",
        "mongodb(?:\\+srv)?:\\/\\/(?:(?<username>[^:",
        "postgres(?:ql)?:\\/\\/(?:(?<username>[^:\\/",
        "sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_",
      ]
    `);
    expect(rules).toHaveLength(25);
  });

  it("stand in whatever the rules find, wherever it stands", () => {
    const random = new Random(77);
    let found = 0;
    for (const kind of TOKEN_KINDS) {
      for (const put of Object.values(CONTEXTS)) {
        for (let n = 0; n < 20; n++) {
          const whole = put(kind.key, kind.make(random).text);
          // Some of it cut off: what is left may be one still.
          const text = whole.slice(random.int(0, 3) * random.int(0, whole.length >> 2));
          if (findSecrets(text).length === 0) continue;
          found++;
          expect(mayHoldSecrets(text), text).toBe(true);
        }
      }
    }
    expect(found).toBeGreaterThan(1_000);
  });

  it("stand in the begins of all tokens, and not in what a summary is made of", () => {
    const report = { file: "/home/me/.claude/projects/-home-me-risk-desk/0b1f2c3d-4e5f-6789-abcd-ef0123456789.jsonl" };
    for (const text of [
      JSON.stringify(report),
      "claude-sonnet-4-5-20250929",
      "Fix the task-list",
      "2026-01-02T03:04:05.678Z",
    ])
      expect(mayHoldSecrets(text), text).toBe(false);
  });
});
