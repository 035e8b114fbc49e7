import { describe, expect, it } from "vitest";
import { maskSpans } from "../../../extension/src/core/secrets/mask";
import { findSecrets } from "../../../extension/src/node/secretRules";
import { Random } from "../../oracle/random";
import { CONTEXTS, TOKEN_KINDS, type TokenKind } from "./tokens";

const SAMPLES = 50;

/** Pieces of a secret of this many units would be a hint. */
const PIECE = 12;

/** True when no piece of the secret can be seen. */
function isHidden(shown: string, secret: string): boolean {
  const oneLine = secret.replaceAll(/-----[A-Z ]+-----|\n/g, "");
  for (let at = 0; at + PIECE <= oneLine.length; at += PIECE)
    if (shown.includes(oneLine.slice(at, at + PIECE))) return false;
  return true;
}

/** Contexts in which all, some or none of the samples are hidden, with the share of all together. */
function recallOf(kind: TokenKind): string {
  const random = new Random(1234);
  const shares = Object.entries(CONTEXTS).map(([context, put]) => {
    let hidden = 0;
    for (let n = 0; n < SAMPLES; n++) {
      const { text, secret } = kind.make(random);
      const shown = put(kind.key, text);
      if (isHidden(maskSpans(shown, findSecrets(shown)), secret)) hidden++;
    }
    return { context, hidden };
  });
  const total = shares.reduce((sum, { hidden }) => sum + hidden, 0);
  if (total === 0) return "none";
  if (total === SAMPLES * shares.length) return "all";
  return shares.map(({ context, hidden }) => `${context} ${Math.round((100 * hidden) / SAMPLES)} %`).join(", ");
}

describe("recall", () => {
  it("is what CONTRIBUTING says", () => {
    const table = TOKEN_KINDS.map((kind) => `${kind.name}: ${recallOf(kind)}`);
    expect(table).toEqual([
      "GitHub, classic: all",
      "GitHub, OAuth: all",
      "GitHub, app: all",
      "GitHub, fine-grained: all",
      "GitLab: all",
      "AWS access key id: all",
      "AWS secret access key: environment 94 %, shell 100 %, yaml 96 %, json 98 %, json in json 98 %, header 0 %, prose 0 %",
      "Google API key: none",
      "Azure storage key: none",
      "Azure client secret: none",
      "Slack bot: all",
      "Slack app: none",
      "Slack webhook: all",
      "Stripe: none",
      "OpenAI, project: all",
      "OpenAI, legacy: all",
      "Anthropic: all",
      "OpenRouter: none",
      "Groq: all",
      "Hugging Face: all",
      "npm: all",
      "PyPI: none",
      "JSON web token: none",
      "Private key, PKCS #8: all",
      "Private key, RSA: all",
      "Private key, EC: none",
      "Private key, OpenSSH: all",
      "Private key, PGP: none",
      "PostgreSQL URL: all",
      "MySQL URL: all",
      "MongoDB URL: all",
      "Redis URL: none",
      "Password in a web URL: all",
      "SendGrid: all",
      "Shopify: all",
      "Linear: all",
      "1Password: environment 28 %, shell 38 %, yaml 42 %, json 36 %, json in json 38 %, header 36 %, prose 22 %",
      "Docker Hub: all",
      "Notion: all",
      "Figma: all",
      "Grafana: all",
      "Vercel: all",
      "DigitalOcean: none",
      "Telegram bot: none",
      "Discord bot: none",
      "Twilio: none",
      "Vault: all",
      "Databricks: all",
      "Password: none",
    ]);
  });
});
