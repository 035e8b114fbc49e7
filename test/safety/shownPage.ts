import type { Page } from "playwright-core";

/** What is wrong with a page that shows hostile text; empty when it shows it as text and holds together. */
export function faults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const OWN = new Set(["HTML", "HEAD", "BODY", "META", "LINK", "TITLE", "STYLE", "SCRIPT"]);
    const NEVER = /^(?:IMG|IFRAME|FRAME|OBJECT|EMBED|BASE|FORM|VIDEO|AUDIO|SOURCE|A|FOREIGNOBJECT|PORTAL|USE|IMAGE)$/i;
    // As webview/src/visibleText.ts describes them, written again so that one mistake is not made twice.
    const hidden =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/u;
    const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
    const tower = /\p{M}{40}/u;
    /** Without the isolates that the page writes itself; a text cut in two by `<bdi>` has only one end of them. */
    const plain = (text: string, isHalf: boolean): string =>
      isHalf ? text.replace(/[\u2068\u2069]/g, "") : text.replace(/\u2068([^\u2066-\u2069]+)\u2069/g, "$1");
    const withoutIsolated = (text: string): string => text.replace(/\u2068[^\u2066-\u2069]+\u2069/g, "");
    const say = (what: string, text: string): void => {
      if (found.length < 20) found.push(`${what}: ${JSON.stringify(text.slice(0, 120))}`);
    };
    const block = (element: Element): boolean => !getComputedStyle(element).display.startsWith("inline");
    const isolated = (text: Text): boolean => {
      for (let at: Element | null = text.parentElement; at !== null; at = at.parentElement) {
        if (/isolate|plaintext/.test(getComputedStyle(at).unicodeBidi) && at.tagName !== "BODY") {
          // Blocks are isolated from each other by themselves; inside one, what stands beside the text must not move.
          if (!block(at) || at.textContent?.trim() === text.data.trim()) return true;
        }
        if (block(at)) return at.textContent?.trim() === text.data.trim();
      }
      return false;
    };
    const visit = (node: Node): void => {
      if (node instanceof Text) {
        const parent = node.parentElement?.tagName ?? "";
        if (parent === "STYLE" || parent === "SCRIPT") return;
        const data = plain(node.data, node.parentElement?.tagName === "BDI");
        if (hidden.test(data)) say("invisible characters are shown as they are", node.data);
        if (tower.test(node.data)) say("a tower of marks", node.data);
        // The cheapest first: this is asked of every text of every look.
        if (rightToLeft.test(withoutIsolated(node.data)) && node.parentElement?.checkVisibility() && !isolated(node)) {
          say(`not isolated in ${node.parentElement.outerHTML.slice(0, 60)}`, node.data);
        }
      }
      if (node instanceof Element) {
        if (NEVER.test(node.tagName) || node.classList.contains("evil")) say("an element", node.outerHTML);
        if (OWN.has(node.tagName) && node.parentElement?.tagName !== "HEAD" && node.parentElement?.tagName !== "BODY") {
          if (!["HTML", "HEAD", "BODY"].includes(node.tagName)) {
            const style = node.tagName === "STYLE" && node.getRootNode() instanceof ShadowRoot;
            if (!style) say("an element", node.outerHTML);
          }
        }
        for (const { name, value } of node.attributes) {
          if (/^on|^(?:srcdoc|href|src|action|formaction|style)$/i.test(name) && !OWN.has(node.tagName)) {
            // Styles are set by script, which the policy allows; nothing of a transcript may get there.
            if (name !== "style" || /url|expression|import/i.test(value)) say(`the attribute ${name}`, value);
          }
          const isShown = name !== "value" || !/OPTION$/.test(node.tagName);
          if (isShown && hidden.test(plain(value, false))) say(`invisible characters in ${name}`, value);
          if (isShown && rightToLeft.test(withoutIsolated(value))) say(`not isolated in ${name}`, value);
          if (value.length > 50_000) say(`${value.length} units in ${name}`, value);
        }
      }
      for (const child of (node instanceof Element ? (node.shadowRoot ?? node) : node).childNodes) visit(child);
      if (node instanceof Element && node.shadowRoot !== null) for (const child of node.childNodes) visit(child);
    };
    visit(document.documentElement);
    if (window.pwned !== undefined) say("something ran", String(window.pwned));
    if (document.scripts.length !== 1) say("scripts", String(document.scripts.length));
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight)
      say("the page overflows", `${scrollWidth} × ${scrollHeight}`);
    return found;
  });
}
