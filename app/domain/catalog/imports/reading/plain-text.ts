import { decodeHTML } from "entities";

const blocks = /^(?:p|div|br|li|ul|ol|h[1-6]|tr|table|section|article|header|footer|blockquote|hr|dd|dt|pre)$/;
/** What these hold is for machines. */
const unread = ["script", "style", "head", "template", "noscript", "iframe", "svg", "title"];

/**
 * The text that a reader of a shop's HTML sees: no tags, entities as characters, blocks on lines of their own. Plain text
 * comes out as it is, `a < b` and all. Some exports write line breaks as `\n`; those become line breaks too.
 */
export function plainText(html: string): string {
  const text = /[<&]/.test(html) ? decodeHTML(withoutTags(html)) : html;
  return text
    .replace(/\\r\\n|\\n/g, "\n")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** One walk over the text, however it is nested or broken. */
function withoutTags(html: string): string {
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
    at = html.startsWith("<!--", open) ? after(html, "-->", open) : endOfTag(html, open);
    if (blocks.test(tag)) text += "\n";
    if (unread.includes(tag) && html.charAt(open + 1) !== "/") {
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
    const sign = html.charAt(at);
    if (quote) quote = sign === quote ? "" : quote;
    else if (sign === ">") return at + 1;
    else if ((sign === '"' || sign === "'") && html.charAt(at - 1) === "=") quote = sign;
  }
  return html.length;
}

function after(html: string, words: string, from: number): number {
  const at = html.indexOf(words, from);
  return at < 0 ? html.length : at + words.length;
}
