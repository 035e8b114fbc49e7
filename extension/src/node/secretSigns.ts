/**
 * What a text needs to hold for any rule of `secretRules` to find something, by the rules' own expressions: a URL (passwords,
 * webhooks, databases, OAuth tokens), the first line of a private key, the name or the begin of an AWS key, or the fixed begin of a
 * service's token. A backslash can be an escape that hides one of these. A test holds the rules' expressions to what is listed here.
 */
const SIGNS = [
  /\\|:\/\/|-----BEGIN|_authToken=/,
  /(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)/,
  /A3T[A-Z0-9]|A(?:KI|GP|ID|RO|IP|NP|NV|SI)A[A-Z0-9]/,
  /sk-(?:proj|svcacct|admin|ant-api0|[a-zA-Z0-9]{20})/,
  /xox[abopr]-|xapp-|SG\.\w|shp(?:pa|ca|at|ss)_|gh[pousr]_|github_pat_|glpat-|gl(?:c|sa)_/,
  /npm_|gsk_|hf_|lin_api_|ntn_|ops_ey|hv[sbr]\.|vc[piark]_|dapi[A-Fa-f0-9]|dckr_pat_|figd_/,
];

/** False: no rule finds anything in the text, so that the rules, which take longer to load than to ask, need not be loaded for it. */
export function mayHoldSecrets(text: string): boolean {
  return SIGNS.some((sign) => sign.test(text));
}
