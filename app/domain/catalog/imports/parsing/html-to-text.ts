import { decodeHTML, decodeHTMLStrict } from "entities";

const blocks = /^(?:p|div|br|li|ul|ol|h[1-6]|tr|table|section|article|header|footer|blockquote|hr|dd|dt|pre)$/;
/** Elements whose content is not text for readers. */
const ignoredElements = ["script", "style", "head", "template", "noscript", "iframe", "svg", "title"];

/**
 * Returns the text that a reader of the HTML sees: no tags, entities as characters, block elements on lines of their
 * own. Plain text is unchanged, including `a < b`. Some exports write line breaks as `
 * `; those become line breaks too.
 */
export function htmlToText(html: string): string {
  const text = /[<&]/.test(html) ? decodeHTML(stripTags(html)) : html;
  return text
    .replace(/\\r\\n|\\n/g, "\n")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Returns the text with its entities as characters, such as `Home &amp; Garden`: WordPress stores the names of
 * categories and brands so. An ampersand without a semicolon stays.
 */
export function decodeEntities(text: string): string {
  return text.includes("&") ? decodeHTMLStrict(text) : text;
}

/** A single pass over the text, which also handles nested and malformed tags. */
function stripTags(html: string): string {
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) return text + html.slice(at);
    text += html.slice(at, open);
    const name = /^<\/?([a-z][a-z0-9-]*)|^<!/i.exec(html.slice(open, open + 40));
    if (!name) {
      text += "<";
      at = open + 1;
      continue;
    }
    const tag = name[1]?.toLowerCase() ?? "";
    at = html.startsWith("<!--", open) ? indexAfter(html, "-->", open) : endOfTag(html, open);
    if (blocks.test(tag)) text += "\n";
    if (ignoredElements.includes(tag) && html.charAt(open + 1) !== "/") {
      const closing = new RegExp(`</${tag}`, "gi");
      closing.lastIndex = at;
      const close = closing.exec(html);
      at = close ? endOfTag(html, close.index) : html.length;
    }
  }
  return text;
}

function endOfTag(html: string, open: number): number {
  let quote = "";
  for (let at = open + 1; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (quote) quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && html.charAt(at - 1) === "=") quote = character;
  }
  return html.length;
}

function indexAfter(html: string, token: string, from: number): number {
  const at = html.indexOf(token, from);
  return at < 0 ? html.length : at + token.length;
}
