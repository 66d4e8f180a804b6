import { latin1 } from "./byte-reader.ts";
import type { MediaType } from "./media.ts";

type Detected = { type: MediaType } | { refused: string };

const export_ = "Export it as JPG, PNG, GIF or MP4.";

/** What a file is by its first bytes, 4 KB of them, whatever its name says. */
export function detectMedia(head: Uint8Array): Detected {
  const start = latin1(head.subarray(0, 4_096));
  if (start === "") return { refused: "The file is empty." };
  if (start.startsWith("\xff\xd8\xff")) return { type: "image/jpeg" };
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return { type: "image/png" };
  if (/^GIF8[79]a/.test(start)) return { type: "image/gif" };
  if (start.slice(4, 8) === "ftyp") return ofBrand(start.slice(8, 12), start.slice(16, 64));
  return { refused: refusalOf(start) };
}

/** The family of MP4 begins alike: films, and pictures of phones. */
function ofBrand(major: string, compatible: string): Detected {
  if (/^(heic|heix|hevc|mif1|msf1|avif|avis)$/.test(major)) {
    return { refused: `This is a HEIC or AVIF picture, which not every place for ads can show. ${export_}` };
  }
  if (major === "qt  " && !/mp4[12]|iso[m2-9]|avc1/.test(compatible)) {
    return { refused: "This is a QuickTime film (MOV). Export it as MP4." };
  }
  return { type: "video/mp4" };
}

function refusalOf(start: string): string {
  const text = start.replace(/^\xef\xbb\xbf/, "").trimStart();
  const known = others.find(({ begins }) => begins.test(text));
  return known
    ? `This is ${known.what}. ${known.instead ?? export_}`
    : `This is no JPG, PNG, GIF or MP4 file. ${export_}`;
}

const scripts = "It can carry scripts, so it is not taken. Export it as PNG or JPG.";
const others: { begins: RegExp; what: string; instead?: string }[] = [
  {
    begins: /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>/]/i,
    what: "an SVG drawing",
    instead: scripts,
  },
  {
    begins: /^<(!doctype html|html|head|body|script|iframe|meta|title|style|div|p|a|img)\b/i,
    what: "a web page",
    instead: "Upload the picture or film itself.",
  },
  { begins: /^<\?xml/i, what: "an XML file" },
  { begins: /^RIFF[\s\S]{4}WEBP/, what: "a WebP picture" },
  { begins: /^RIFF[\s\S]{4}AVI /, what: "an AVI film", instead: "Export it as MP4." },
  { begins: /^.E\xdf\xa3/s, what: "a WebM or Matroska film", instead: "Export it as MP4." },
  { begins: /^BM/, what: "a BMP picture" },
  { begins: /^(II\*.|MM.\*)/s, what: "a TIFF picture" },
  { begins: /^8BPS/, what: "a Photoshop file" },
  { begins: /^%PDF-/, what: "a PDF" },
  { begins: /^PK../s, what: "a ZIP archive", instead: "Unpack it and upload the files in it." },
  { begins: /^[CF]WS/, what: "a Flash film", instead: "Export it as MP4." },
  { begins: /^(MZ|.ELF|#!)/s, what: "a program" },
];
