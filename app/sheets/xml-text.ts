import { damaged } from "./sheet-error.ts";

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Character data as XML 1.0 means it: line ends become a line feed, the five named entities and numeric ones their
 * character. No other entity exists without a document type, which is refused, so nothing can expand.
 */
export function decodeXmlText(raw: string): string {
  const lines = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
  return lines.includes("&") ? lines.replace(/&([^;&]*);?/g, decodeEntity) : lines;
}

function decodeEntity(whole: string, name: string): string {
  if (!whole.endsWith(";")) throw damaged("an ampersand that means nothing");
  const known = named.get(name);
  if (known !== undefined) return known;
  const digits = /^#(?:x([0-9a-f]{1,8})|([0-9]{1,8}))$/i.exec(name);
  if (digits === null) throw damaged("an entity that spreadsheets do not know");
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  if (!isXmlCharacter(code)) throw damaged("a character that XML forbids");
  return String.fromCodePoint(code);
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

/** `_x000D_` for a character that XML cannot carry: ECMA-376 part 1, 22.9.2.19 (ST_Xstring). */
export function decodeSpreadsheetEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const escapes = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);

/** Text as a cell's XML has it: what XML cannot carry as `_x000D_`, and what looks like such an escape escaped itself. */
export function encodeCellText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (one) => (one === "\n" || one === "\t" ? one : escaped(one)))
    .replace(/[&<>]/g, (one) => escapes.get(one) ?? one);
}

function escaped(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
}
