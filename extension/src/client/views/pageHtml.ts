import { randomBytes } from "node:crypto";

/** Addresses inside the page, as `asWebviewUri` gives them. */
export interface PageAddresses {
  readonly cspSource: string;
  readonly script: string;
  readonly codicons: string;
  readonly language: string;
}

/**
 * The inspector page: one script with a one-time nonce and one style sheet for the icons. No inline code or style, no network,
 * no data: everything the page shows arrives as messages.
 */
export function pageHtml(addresses: PageAddresses): string {
  const nonce = randomBytes(24).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${addresses.cspSource}`,
    `font-src ${addresses.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${attribute(addresses.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${attribute(addresses.codicons)}">
<title>Context Budget Inspector</title>
</head>
<body>
<script nonce="${nonce}" src="${attribute(addresses.script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}
