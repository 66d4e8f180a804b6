import { damagedSheet } from "./sheet-error.ts";

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Decodes character data by XML 1.0: line ends become a line feed, and the five named entities and numeric ones their
 * character. Throws SheetError for other entities, which only a document type could declare, so nothing can expand.
 */
export function decodeXmlText(raw: string): string {
  const lines = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
  return lines.includes("&") ? lines.replace(/&([^;&]*);?/g, decodeEntity) : lines;
}

function decodeEntity(whole: string, name: string): string {
  if (!whole.endsWith(";")) throw damagedSheet("invalid ampersand");
  const known = named.get(name);
  if (known !== undefined) return known;
  const digits = /^#(?:x([0-9a-f]{1,8})|([0-9]{1,8}))$/i.exec(name);
  if (digits === null) throw damagedSheet("unknown entity");
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  if (!isXmlCharacter(code)) throw damagedSheet("invalid character");
  return String.fromCodePoint(code);
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

/**
 * Decodes `_x000D_` and other escapes of characters that XML cannot contain: ECMA-376 part 1, 22.9.2.19 (ST_Xstring).
 */
export function decodeSpreadsheetEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const escapes = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);

/** Encodes text for a cell's XML: characters that XML cannot contain become `_x000D_`, and text like it is escaped. */
export function encodeCellText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (one) => (one === "\n" || one === "\t" ? one : escaped(one)))
    .replace(/[&<>]/g, (one) => escapes.get(one) ?? one);
}

function escaped(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
}
