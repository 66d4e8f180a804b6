import { ByteReader, latin1 } from "./byte-reader.ts";
import { type CleanMedia, MediaError, mediaErrorMessages, requireScans, requireSize } from "./media.ts";

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];
/** Baseline, extended and progressive frames, which every browser supports. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const tables = new Set([0xc4, 0xdb, 0xdd]);

/**
 * Returns a JPEG with only what is needed to draw it in its colors: without EXIF (location, camera, author),
 * thumbnails, comments and texts, and with unchanged image data. Throws MediaError.
 */
export function cleanJpeg(bytes: Uint8Array): CleanMedia {
  const reader = new ByteReader(bytes);
  const parts = [reader.readBytes(2)];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  let hasSeveralImages = false;
  let scans = 0;
  for (;;) {
    const from = reader.at;
    const marker = nextMarker(reader);
    if (marker === endOfImage) {
      parts.push(Uint8Array.of(0xff, endOfImage));
      break;
    }
    if (marker === startOfImage || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd7))
      throw new MediaError(mediaErrorMessages.damaged);
    const length = reader.u16();
    if (length < 2) throw new MediaError(mediaErrorMessages.damaged);
    const content = reader.readBytes(length - 2);
    const whole = bytes.subarray(from, reader.at);
    if (frames.has(marker)) {
      if (size) throw new MediaError(mediaErrorMessages.damaged);
      size = readSize(content);
      parts.push(whole);
    } else if (otherFrames.has(marker)) {
      throw new MediaError("Browsers can't show this type of JPG. Export it as a standard JPG.");
    } else if (marker === startOfScan) {
      scans += 1;
      if (!size) throw new MediaError(mediaErrorMessages.damaged);
      requireScans(size, scans);
      parts.push(whole, readScan(reader));
    } else if (tables.has(marker)) parts.push(whole);
    else if (marker >= 0xe0 && marker <= 0xef) {
      const name = latin1(content.subarray(0, 14));
      if (isColorSegment(marker, name, content.length)) parts.push(whole);
      if (marker === 0xe0 && name.startsWith("JFIF\0")) parts.push(withoutThumbnail(content));
      if (marker === 0xe1 && name.startsWith("Exif\0\0")) orientation = readOrientation(content.subarray(6));
      if (marker === 0xe2 && name.startsWith("MPF\0")) hasSeveralImages = true;
    }
  }
  // Phones append a second image and declare it.
  if (!hasSeveralImages && !isPadding(bytes.subarray(reader.at))) throw new MediaError(mediaErrorMessages.trailingData);
  if (!size || scans === 0) throw new MediaError(mediaErrorMessages.damaged);
  const turned = orientation > 4 ? { width: size.height, height: size.width } : size;
  return { type: "image/jpeg", ...turned, durationMs: null, parts, orientation };
}

function nextMarker(reader: ByteReader): number {
  if (reader.u8() !== 0xff) throw new MediaError(mediaErrorMessages.damaged);
  let marker = reader.u8();
  while (marker === 0xff) marker = reader.u8();
  return marker;
}

function readSize(frame: Uint8Array): { width: number; height: number } {
  const reader = new ByteReader(frame);
  const precision = reader.u8();
  const height = reader.u16();
  const width = reader.u16();
  const components = reader.u8();
  if (precision !== 8 || ![1, 3, 4].includes(components)) throw new MediaError(mediaErrorMessages.damaged);
  requireSize({ width, height });
  return { width, height };
}

/** Reads the entropy-coded data: up to the next marker that is neither a stuffed byte nor a restart. */
function readScan(reader: ByteReader): Uint8Array {
  const from = reader.at;
  for (let at = from; ; at += 1) {
    at = reader.bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : reader.bytes[at + 1];
    if (next === undefined) throw new MediaError(mediaErrorMessages.truncated);
    if (next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)) continue;
    reader.at = at;
    return reader.bytes.subarray(from, at);
  }
}

/** Returns whether the segment is a color profile or Adobe's marker of the color transform. */
function isColorSegment(marker: number, name: string, length: number): boolean {
  if (marker === 0xe2) return name.startsWith("ICC_PROFILE\0");
  return marker === 0xee && name.startsWith("Adobe") && length === 12;
}

/** Returns the JFIF header without the thumbnail that may follow it. */
function withoutThumbnail(content: Uint8Array): Uint8Array {
  if (content.length < 14) throw new MediaError(mediaErrorMessages.damaged);
  return Buffer.concat([Uint8Array.of(0xff, 0xe0, 0, 16), content.subarray(0, 12), Uint8Array.of(0, 0)]);
}

/** Returns EXIF's orientation; 1 when it is missing or invalid. */
function readOrientation(tiff: Uint8Array): number {
  try {
    const reader = new ByteReader(tiff);
    const littleEndian = reader.text(2) === "II";
    reader.u16(littleEndian);
    reader.at = reader.u32(littleEndian);
    for (let entries = reader.u16(littleEndian); entries > 0; entries -= 1) {
      const tag = reader.u16(littleEndian);
      reader.readBytes(6);
      const value = reader.u16(littleEndian);
      reader.readBytes(2);
      if (tag === 0x0112) return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // EXIF that cannot be read has no orientation.
  }
  return 1;
}

function isPadding(rest: Uint8Array): boolean {
  return rest.every((byte) => byte === 0);
}
