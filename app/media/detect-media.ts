import { latin1 } from "./byte-reader.ts";
import type { MediaType } from "./media.ts";

type Detected = { type: MediaType } | { rejection: string };

const export_ = "Export it as JPG, PNG, GIF or MP4.";

/** Detects a file's type by its first 4 KB, whatever its name. */
export function detectMedia(head: Uint8Array): Detected {
  const start = latin1(head.subarray(0, 4_096));
  if (start === "") return { rejection: "The file is empty." };
  if (start.startsWith("\xff\xd8\xff")) return { type: "image/jpeg" };
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return { type: "image/png" };
  if (/^GIF8[79]a/.test(start)) return { type: "image/gif" };
  if (start.slice(4, 8) === "ftyp") return ofBrand(start.slice(8, 12), start.slice(16, 64));
  return { rejection: describeRejection(start) };
}

/** MP4 and its relatives, including phone images, start alike and differ by brand. */
function ofBrand(major: string, compatible: string): Detected {
  if (/^(heic|heix|hevc|mif1|msf1|avif|avis)$/.test(major)) {
    return { rejection: `This is a HEIC or AVIF image, which many ad placements don't support. ${export_}` };
  }
  if (major === "qt  " && !/mp4[12]|iso[m2-9]|avc1/.test(compatible)) {
    return { rejection: "This is a QuickTime video (MOV). Export it as MP4." };
  }
  return { type: "video/mp4" };
}

function describeRejection(start: string): string {
  const text = start.replace(/^\xef\xbb\xbf/, "").trimStart();
  const known = others.find(({ pattern }) => pattern.test(text));
  return known ? `This is ${known.what}. ${known.instead ?? export_}` : `This file type is not supported. ${export_}`;
}

const scripts = "SVG files can contain scripts and are not accepted. Export it as PNG or JPG.";
const others: { pattern: RegExp; what: string; instead?: string }[] = [
  {
    // A comment ends at its first end, so that text with many comments is read in one way only.
    pattern: /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!doctype svg[^>]*>\s*)?<svg[\s>/]/i,
    what: "an SVG image",
    instead: scripts,
  },
  {
    pattern: /^<(!doctype html|html|head|body|script|iframe|meta|title|style|div|p|a|img)\b/i,
    what: "a web page",
    instead: "Upload the image or video file itself.",
  },
  { pattern: /^<\?xml/i, what: "an XML file" },
  { pattern: /^RIFF[\s\S]{4}WEBP/, what: "a WebP image" },
  { pattern: /^RIFF[\s\S]{4}AVI /, what: "an AVI video", instead: "Export it as MP4." },
  { pattern: /^.E\xdf\xa3/s, what: "a WebM or Matroska video", instead: "Export it as MP4." },
  { pattern: /^BM/, what: "a BMP image" },
  { pattern: /^(II\*.|MM.\*)/s, what: "a TIFF image" },
  { pattern: /^8BPS/, what: "a Photoshop file" },
  { pattern: /^%PDF-/, what: "a PDF" },
  { pattern: /^PK../s, what: "a ZIP archive", instead: "Unzip it and upload the files inside." },
  { pattern: /^[CF]WS/, what: "a Flash video", instead: "Export it as MP4." },
  { pattern: /^(MZ|.ELF|#!)/s, what: "an executable file" },
];
