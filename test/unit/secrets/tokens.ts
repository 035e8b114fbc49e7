import type { Random } from "../../oracle/random";

/**
 * Made-up secrets of common kinds, in the shapes that their issuers document. Prefixes are put together from pieces, so that no file
 * here holds what a scanner takes for a secret.
 */
export interface TokenKind {
  readonly name: string;
  /** `secret`: what must not be seen any more. */
  make(random: Random): { readonly text: string; readonly secret: string };
  /** Names under which it usually stands. */
  readonly key: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const WORD = LOWER + LOWER.toUpperCase() + DIGITS;
const URL_SAFE = `${WORD}-_`;
const BASE64 = `${WORD}+/`;
const HEX = `${DIGITS}abcdef`;

const of = (random: Random, alphabet: string, units: number): string =>
  random.repeat(units, units, () => alphabet.charAt(random.int(0, alphabet.length - 1)));

function kind(name: string, key: string, make: (random: Random) => string): TokenKind {
  return {
    name,
    key,
    make: (random) => {
      const text = make(random);
      return { text, secret: text };
    },
  };
}
const prefixed = (name: string, key: string, prefix: readonly string[], alphabet: string, units: number): TokenKind =>
  kind(name, key, (random) => prefix.join("") + of(random, alphabet, units));

/** A URL in which only the password is a secret. */
function url(name: string, key: string, scheme: string, host: string): TokenKind {
  return {
    name,
    key,
    make: (random) => {
      const secret = of(random, WORD, random.int(12, 24));
      return { text: `${scheme}://svc_${of(random, LOWER, 5)}:${secret}@${of(random, LOWER, 6)}.${host}`, secret };
    },
  };
}

/** A key in PEM with lines of 64, and the sign that begins its Base64. */
function pem(name: string, label: string, begins: string, lines: number): TokenKind {
  return kind(name, "PRIVATE_KEY", (random) => {
    const body = begins + of(random, BASE64, 64 * lines - begins.length);
    const dashes = "-".repeat(5);
    return [`${dashes}BEGIN ${label}${dashes}`, ...(body.match(/.{64}/g) ?? []), `${dashes}END ${label}${dashes}`].join(
      "\n",
    );
  });
}

const base64Url = (text: string): string => Buffer.from(text).toString("base64url");

export const TOKEN_KINDS: readonly TokenKind[] = [
  prefixed("GitHub, classic", "GITHUB_TOKEN", ["gh", "p_"], WORD, 36),
  prefixed("GitHub, OAuth", "GH_TOKEN", ["gh", "o_"], WORD, 36),
  prefixed("GitHub, app", "GITHUB_TOKEN", ["gh", "s_"], WORD, 36),
  kind("GitHub, fine-grained", "GITHUB_TOKEN", (r) => `github${"_pat_"}${of(r, WORD, 22)}_${of(r, WORD, 59)}`),
  prefixed("GitLab", "GITLAB_TOKEN", ["gl", "pat-"], URL_SAFE, 20),
  prefixed("AWS access key id", "AWS_ACCESS_KEY_ID", ["AK", "IA"], `${LOWER.toUpperCase()}234567`, 16),
  prefixed("AWS secret access key", "AWS_SECRET_ACCESS_KEY", [], BASE64, 40),
  prefixed("Google API key", "GOOGLE_API_KEY", ["AI", "za"], URL_SAFE, 35),
  kind("Azure storage key", "AZURE_STORAGE_KEY", (r) => `${of(r, BASE64, 86)}==`),
  kind("Azure client secret", "AZURE_CLIENT_SECRET", (r) => `${of(r, WORD, 3)}8Q~${of(r, URL_SAFE, 34)}`),
  kind("Slack bot", "SLACK_BOT_TOKEN", (r) => `xo${"xb-"}${of(r, DIGITS, 12)}-${of(r, DIGITS, 13)}-${of(r, WORD, 24)}`),
  kind("Slack app", "SLACK_APP_TOKEN", (r) => `xa${"pp-"}1-A${of(r, WORD, 10)}-${of(r, DIGITS, 13)}-${of(r, HEX, 64)}`),
  kind(
    "Slack webhook",
    "SLACK_WEBHOOK_URL",
    (r) => `https://hooks.slack.com/${"services"}/T${of(r, WORD, 8)}/B${of(r, WORD, 10)}/${of(r, WORD, 24)}`,
  ),
  prefixed("Stripe", "STRIPE_SECRET_KEY", ["sk_", "live_"], WORD, 24),
  kind(
    "OpenAI, project",
    "OPENAI_API_KEY",
    (r) => `sk-${"proj-"}${of(r, URL_SAFE, 74)}T3Blbk${"FJ"}${of(r, URL_SAFE, 73)}${of(r, WORD, 1)}`,
  ),
  kind("OpenAI, legacy", "OPENAI_API_KEY", (r) => `sk-${of(r, WORD, 20)}T3Blbk${"FJ"}${of(r, WORD, 20)}`),
  kind("Anthropic", "ANTHROPIC_API_KEY", (r) => `sk-${"ant-api03-"}${of(r, URL_SAFE, 93)}AA`),
  prefixed("OpenRouter", "OPENROUTER_API_KEY", ["sk-", "or-v1-"], HEX, 64),
  prefixed("Groq", "GROQ_API_KEY", ["gs", "k_"], WORD, 52),
  prefixed("Hugging Face", "HF_TOKEN", ["h", "f_"], LOWER + LOWER.toUpperCase(), 34),
  prefixed("npm", "NPM_TOKEN", ["np", "m_"], WORD, 36),
  prefixed("PyPI", "TWINE_PASSWORD", ["py", "pi-AgEIcHlwaS5vcmc"], URL_SAFE, 130),
  kind("JSON web token", "ACCESS_TOKEN", (r) =>
    [
      base64Url('{"alg":"RS256","typ":"JWT"}'),
      base64Url(JSON.stringify({ sub: of(r, HEX, 24), iat: 1 })),
      of(r, URL_SAFE, 86),
    ].join("."),
  ),
  pem("Private key, PKCS #8", "PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 26),
  pem("Private key, RSA", "RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 25),
  pem("Private key, EC", "EC PRIVATE KEY", "MHcCAQEEI", 3),
  pem("Private key, OpenSSH", "OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA", 5),
  pem("Private key, PGP", "PGP PRIVATE KEY BLOCK", "lQdGBF", 40),
  url("PostgreSQL URL", "DATABASE_URL", "postgresql", "internal:5432/app"),
  url("MySQL URL", "DATABASE_URL", "mysql", "internal:3306/app"),
  url("MongoDB URL", "MONGO_URL", "mongodb+srv", "mongodb.net/app"),
  url("Redis URL", "REDIS_URL", "redis", "internal:6379/0"),
  url("Password in a web URL", "PROXY_URL", "https", "internal.net/feed"),
  kind("SendGrid", "SENDGRID_API_KEY", (r) => `S${"G."}${of(r, WORD, 22)}.${of(r, WORD, 43)}`),
  prefixed("Shopify", "SHOPIFY_TOKEN", ["shp", "at_"], HEX, 32),
  prefixed("Linear", "LINEAR_API_KEY", ["lin", "_api_"], WORD, 40),
  kind("1Password", "OP_SERVICE_ACCOUNT_TOKEN", (r) => {
    // The rule knows one of the three ends that Base64 can have.
    const head = `{"email":"${of(r, LOWER, 13)}@1passwordserviceaccounts.com","secretKey":"A3-${of(r, WORD, 32)}","muk":"${of(r, WORD, 43)}","userAuth":{"salt":"`;
    const rest = '"}}';
    const salt = of(r, WORD, r.int(20, 22));
    return `ops${"_"}${Buffer.from(head + salt + rest).toString("base64")}`;
  }),
  prefixed("Docker Hub", "DOCKER_PAT", ["dckr", "_pat_"], URL_SAFE, 27),
  kind("Notion", "NOTION_TOKEN", (r) => `nt${"n_"}${of(r, DIGITS, 11)}${of(r, WORD, 35)}`),
  prefixed("Figma", "FIGMA_TOKEN", ["fi", "gd_"], URL_SAFE, 40),
  kind("Grafana", "GRAFANA_TOKEN", (r) => `gl${"sa_"}${of(r, WORD, 32)}_${of(r, HEX, 8)}`),
  prefixed("Vercel", "VERCEL_TOKEN", ["vc", "p_"], WORD, 56),
  prefixed("DigitalOcean", "DO_TOKEN", ["dop", "_v1_"], HEX, 64),
  prefixed("Telegram bot", "TELEGRAM_BOT_TOKEN", ["7123456789", ":AA"], URL_SAFE, 33),
  kind("Discord bot", "DISCORD_TOKEN", (r) => `M${of(r, WORD, 23)}.${of(r, WORD, 6)}.${of(r, URL_SAFE, 38)}`),
  prefixed("Twilio", "TWILIO_API_KEY", ["S", "K"], HEX, 32),
  prefixed("Vault", "VAULT_TOKEN", ["hv", "s."], URL_SAFE, 95),
  prefixed("Databricks", "DATABRICKS_TOKEN", ["da", "pi"], HEX, 32),
  kind("Password", "DB_PASSWORD", (r) => of(r, `${WORD}!#%`, 16)),
];

/** Places in which agents meet secrets. `text` on one line has its line feeds escaped. */
export const CONTEXTS: Readonly<Record<string, (key: string, text: string) => string>> = {
  environment: (key, text) => `PATH=/usr/bin\n${key}=${text}\nHOME=/home/dev\n`,
  shell: (key, text) => `$ export ${key}="${text}" && npm run release`,
  yaml: (key, text) =>
    text.includes("\n")
      ? `env:\n  ${key}: |\n${text.replaceAll(/^/gm, "    ")}\n  CI: true\n`
      : `env:\n  ${key}: ${text}\n  CI: true\n`,
  json: (key, text) => JSON.stringify({ name: "app", [key]: text, port: 8080 }),
  "json in json": (key, text) => JSON.stringify({ output: JSON.stringify({ [key]: text, port: 8080 }) }),
  header: (_key, text) => `> GET /user HTTP/1.1\n> Authorization: Bearer ${text}\n> Accept: */*\n`,
  prose: (_key, text) => `The token is ${text}, please keep it to yourself.`,
};
