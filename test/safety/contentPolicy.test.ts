import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageHtml } from "../../extension/src/client/views/pageHtml";
import { type PageServer, startPageServer } from "./realPage";

const ADDRESSES = {
  cspSource: "https://page.example",
  script: 'https://page.example/webview.js?a=1&b="><script>1</script>',
  codicons: "https://page.example/codicon.css",
  language: 'en"><script>1</script>',
};

declare global {
  interface Window {
    attacked?: boolean;
  }
}

function policyOf(html: string): ReadonlyMap<string, readonly string[]> {
  const content = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? "";
  return new Map(
    content.split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

describe("the page as it is written", () => {
  it("allows one script by a number used once, styles and fonts of its own, and nothing else", () => {
    const policy = policyOf(pageHtml(ADDRESSES));
    const [nonce = ""] = policy.get("script-src") ?? [];
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": ["'none'"],
      "script-src": [nonce],
      "style-src": ["https://page.example"],
      "font-src": ["https://page.example"],
      "base-uri": ["'none'"],
      "form-action": ["'none'"],
    });
    // 16 bytes at least, in base64.
    expect(nonce).toMatch(/^'nonce-[A-Za-z0-9+/]{22,}={0,2}'$/);
    expect(policyOf(pageHtml(ADDRESSES)).get("script-src")).not.toEqual([nonce]);
  });

  it("holds no code, no style and no data; addresses cannot leave their attribute", () => {
    const html = pageHtml(ADDRESSES);
    expect(html.match(/<script\b/g)).toHaveLength(1);
    expect(html).toMatch(/<script nonce="[^"]+" src="[^"]+"><\/script>/);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    // The policy counts for what follows it.
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<link"));
  });
});

/** What code that got into the page could try. Each resolves; what it reached is seen elsewhere. */
function attack(stranger: string): Promise<unknown> {
  const make = (tag: string, attributes: Readonly<Record<string, string>>, text = ""): HTMLElement => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    document.body.append(element);
    return element;
  };
  const tried = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return String(error);
    }
  };
  const mark = (what: string): string => `(window.pwned = [...(window.pwned ?? []), "${what}"])`;
  make("script", {}, mark("inline script"));
  make("script", { src: `${stranger}/script.js` });
  make("script", { src: `${stranger}/module.js`, type: "module" });
  make("div", { onclick: mark("handler") }).click();
  make("a", { href: `javascript:${mark("javascript address")}` }).click();
  // biome-ignore lint/security/noGlobalEval: that it is refused is what is tested
  tried(() => window.eval(mark("eval")));
  tried(() => new Function(mark("new Function"))());
  tried(() => setTimeout(mark("timer"), 0));
  make("img", { src: `${stranger}/image.png`, onerror: mark("image handler") });
  make("link", { rel: "stylesheet", href: `${stranger}/style.css` });
  make("style", {}, "body { --pwned: yes }");
  make("i", { style: "--pwned: yes" });
  make("iframe", { src: `${stranger}/frame` });
  make("iframe", { srcdoc: `<script>parent.${mark("frame").slice(1)}</script>` });
  make("object", { data: `${stranger}/object` });
  make("embed", { src: `${stranger}/embed` });
  make("video", { src: `${stranger}/video` });
  make("base", { href: `${stranger}/` });
  make("iframe", { name: "sink" });
  const form = make("form", { action: `${stranger}/form`, method: "post", target: "sink" }) as HTMLFormElement;
  tried(() => form.submit());
  tried(() => navigator.sendBeacon(`${stranger}/beacon`, "x"));
  tried(() => new EventSource(`${stranger}/events`));
  tried(() => new WebSocket(`${stranger.replace("http", "ws")}/socket`));
  tried(() => new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))));
  const font = new FontFace("strange", `url(${stranger}/font.ttf)`);
  return Promise.allSettled([font.load(), fetch(`${stranger}/fetch`)]).then(() => {
    window.attacked = true;
  });
}

describe("code that got into the page", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await startPageServer();
  });
  afterAll(() => server.stop());

  /** What came of the attack. */
  async function attacked(): Promise<{ pwned: readonly string[]; refused: readonly string[]; page: Page }> {
    const context = await server.browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        window.violations.push({ directive: event.effectiveDirective, uri: event.blockedURI }),
      );
      const api = { postMessage: () => undefined, getState: () => undefined, setState: () => undefined };
      Object.assign(window, { acquireVsCodeApi: () => api });
    });
    await page.addInitScript(`window.attack = ${attack.toString()}`);
    await page.goto(server.origin);
    // In a turn of its own: what a debugger runs itself may do more than the page's code.
    await page.evaluate(
      (stranger) => {
        setTimeout(() => void (window as unknown as { attack: typeof attack }).attack(stranger), 0);
      },
      `${server.origin.replace("127.0.0.1", "localhost")}/stranger`,
    );
    // Waiting inside the page would need what its policy forbids.
    await expect.poll(() => page.evaluate(() => window.attacked)).toBe(true);
    await page.waitForLoadState("networkidle");
    const { pwned, violations } = await page.evaluate(() => ({
      pwned: window.pwned,
      violations: window.violations ?? [],
    }));
    return {
      page,
      pwned: Array.isArray(pwned) ? pwned : [],
      refused: [...new Set(violations.map(({ directive }) => directive))].sort(),
    };
  }

  it("runs nothing and reaches nothing, and each try is refused by the policy", async () => {
    const { page, pwned, refused } = await attacked();
    expect(pwned).toEqual([]);
    expect(server.strays).toEqual([]);
    expect(refused).toEqual([
      "base-uri",
      "connect-src",
      "font-src",
      "form-action",
      "frame-src",
      "img-src",
      "media-src",
      "object-src",
      "script-src",
      "script-src-attr",
      "script-src-elem",
      "style-src-attr",
      "style-src-elem",
      "worker-src",
    ]);
    expect(await page.evaluate(() => getComputedStyle(document.body).getPropertyValue("--pwned"))).toBe("");
    expect(await page.evaluate(() => document.baseURI)).toBe(`${server.origin}/`);
  });

  it("without the policy the same tries succeed", async () => {
    server.unguarded = true;
    const { pwned } = await attacked();
    server.unguarded = false;
    expect(pwned).toEqual(expect.arrayContaining(["inline script", "handler", "eval", "new Function", "timer"]));
    expect(server.strays.map((path) => path.replace("/stranger/", ""))).toEqual(
      expect.arrayContaining(["image.png", "frame", "fetch", "font.ttf", "style.css"]),
    );
  });
});
