import { ByteReader, latin1 } from "./byte-reader.ts";
import { type CleanMedia, MediaError, refusals, requireSize } from "./media.ts";

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];
/** Baseline, extended and progressive: what every browser shows. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const tables = new Set([0xc4, 0xdb, 0xdd]);
/** A decoder goes over the whole picture for each; editors make about ten. */
const mostScans = 100;

/**
 * A JPEG with what is needed to draw it and its colours: no EXIF, so no place, camera or author, no thumbnails, comments or
 * texts, and the picture itself bit by bit as it was. Throws MediaError.
 */
export function cleanJpeg(bytes: Uint8Array): CleanMedia {
  const reader = new ByteReader(bytes);
  const parts = [reader.take(2)];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  let severalPictures = false;
  let scans = 0;
  for (;;) {
    const from = reader.at;
    const marker = nextMarker(reader);
    if (marker === endOfImage) {
      parts.push(Uint8Array.of(0xff, endOfImage));
      break;
    }
    if (marker === startOfImage || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd7))
      throw new MediaError(refusals.damaged);
    const length = reader.u16();
    if (length < 2) throw new MediaError(refusals.damaged);
    const content = reader.take(length - 2);
    const whole = bytes.subarray(from, reader.at);
    if (frames.has(marker)) {
      if (size) throw new MediaError(refusals.damaged);
      size = sizeOf(content);
      parts.push(whole);
    } else if (otherFrames.has(marker)) {
      throw new MediaError(
        "This is an unusual kind of JPG that browsers do not show. Export it again as an ordinary one.",
      );
    } else if (marker === startOfScan) {
      scans += 1;
      if (!size || scans > mostScans) throw new MediaError(refusals.damaged);
      parts.push(whole, takeScan(reader));
    } else if (tables.has(marker)) parts.push(whole);
    else if (marker >= 0xe0 && marker <= 0xef) {
      const name = latin1(content.subarray(0, 14));
      if (isForColours(marker, name, content.length)) parts.push(whole);
      if (marker === 0xe0 && name.startsWith("JFIF\0")) parts.push(plainJfif(content));
      if (marker === 0xe1 && name.startsWith("Exif\0\0")) orientation = orientationOf(content.subarray(6));
      if (marker === 0xe2 && name.startsWith("MPF\0")) severalPictures = true;
    }
  }
  // Phones put a second picture behind the first, and say so.
  if (!severalPictures && !isPadding(bytes.subarray(reader.at))) throw new MediaError(refusals.behind);
  if (!size || scans === 0) throw new MediaError(refusals.damaged);
  const turned = orientation > 4 ? { width: size.height, height: size.width } : size;
  return { type: "image/jpeg", ...turned, durationMs: null, parts, orientation };
}

function nextMarker(reader: ByteReader): number {
  if (reader.u8() !== 0xff) throw new MediaError(refusals.damaged);
  let marker = reader.u8();
  while (marker === 0xff) marker = reader.u8();
  return marker;
}

function sizeOf(frame: Uint8Array): { width: number; height: number } {
  const reader = new ByteReader(frame);
  const precision = reader.u8();
  const height = reader.u16();
  const width = reader.u16();
  const components = reader.u8();
  if (precision !== 8 || ![1, 3, 4].includes(components)) throw new MediaError(refusals.damaged);
  requireSize({ width, height });
  return { width, height };
}

/** The coded picture: up to the next marker that is neither a stuffed byte nor a restart. */
function takeScan(reader: ByteReader): Uint8Array {
  const from = reader.at;
  for (let at = from; ; at += 1) {
    at = reader.bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : reader.bytes[at + 1];
    if (next === undefined) throw new MediaError(refusals.cutOff);
    if (next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)) continue;
    reader.at = at;
    return reader.bytes.subarray(from, at);
  }
}

/** The colour profile, and Adobe's word on how colours are coded. */
function isForColours(marker: number, name: string, length: number): boolean {
  if (marker === 0xe2) return name.startsWith("ICC_PROFILE\0");
  return marker === 0xee && name.startsWith("Adobe") && length === 12;
}

/** Without the thumbnail that may follow. */
function plainJfif(content: Uint8Array): Uint8Array {
  if (content.length < 14) throw new MediaError(refusals.damaged);
  return Buffer.concat([Uint8Array.of(0xff, 0xe0, 0, 16), content.subarray(0, 12), Uint8Array.of(0, 0)]);
}

/** EXIF's orientation, 1 where it says none that there is. */
function orientationOf(tiff: Uint8Array): number {
  try {
    const reader = new ByteReader(tiff);
    const littleEndian = reader.text(2) === "II";
    reader.u16(littleEndian);
    reader.at = reader.u32(littleEndian);
    for (let entries = reader.u16(littleEndian); entries > 0; entries -= 1) {
      const tag = reader.u16(littleEndian);
      reader.take(6);
      const value = reader.u16(littleEndian);
      reader.take(2);
      if (tag === 0x0112) return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // What else it would have said is dropped too.
  }
  return 1;
}

function isPadding(rest: Uint8Array): boolean {
  return rest.every((byte) => byte === 0);
}
