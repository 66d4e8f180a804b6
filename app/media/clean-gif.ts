import { ByteReader } from "./byte-reader.ts";
import { type CleanMedia, MediaError, refusals, requireFrames, requireSize } from "./media.ts";

/** A GIF with its pictures, their times and how often they are shown: no comments, texts or other programs' data. Throws MediaError. */
export function cleanGif(bytes: Uint8Array): CleanMedia {
  const reader = new ByteReader(bytes);
  reader.take(6);
  const width = reader.u16(true);
  const height = reader.u16(true);
  requireSize({ width, height });
  takeColours(reader, 2);
  const parts = [bytes.subarray(0, reader.at)];
  const seen = { frames: 0, framePixels: 0, durationMs: 0 };
  /** Says how the next picture is shown; dropped when that is no picture. */
  let control: Uint8Array | undefined;
  for (let kind = reader.u8(); kind !== 0x3b; kind = reader.u8()) {
    const from = reader.at - 1;
    if (kind === 0x2c) {
      reader.take(4);
      const frame = { width: reader.u16(true), height: reader.u16(true) };
      requireSize(frame);
      seen.frames += 1;
      seen.framePixels += frame.width * frame.height;
      requireFrames(seen);
      takeColours(reader, 0);
      const codeSize = reader.u8();
      if (codeSize < 1 || codeSize > 11) throw new MediaError(refusals.damaged);
      takeBlocks(reader);
      if (control) {
        parts.push(control);
        seen.durationMs += delayOf(control);
      }
      parts.push(bytes.subarray(from, reader.at));
      control = undefined;
    } else if (kind === 0x21) {
      const label = reader.u8();
      const first = takeBlocks(reader);
      const whole = bytes.subarray(from, reader.at);
      if (label === 0xf9 && whole.length === 8) control = whole;
      else if (label === 0xff && isRepetition(first, whole)) parts.push(whole);
      else if (label === 0x01) control = undefined;
    } else throw new MediaError(refusals.damaged);
  }
  if (seen.frames === 0) throw new MediaError(refusals.damaged);
  if (reader.bytes.subarray(reader.at).some((byte) => byte !== 0)) throw new MediaError(refusals.behind);
  parts.push(Uint8Array.of(0x3b));
  return { type: "image/gif", width, height, durationMs: seen.frames > 1 ? seen.durationMs : null, parts };
}

/** The byte of flags, as many bytes more, and the table of colours that the flags may promise. */
function takeColours(reader: ByteReader, more: number): void {
  const flags = reader.u8();
  reader.take(more);
  if (flags & 0x80) reader.take(3 * 2 ** ((flags & 7) + 1));
}

/** Blocks of at most 255 bytes up to an empty one; the first is given back. */
function takeBlocks(reader: ByteReader): Uint8Array | undefined {
  let first: Uint8Array | undefined;
  for (let length = reader.u8(); length > 0; length = reader.u8()) {
    const block = reader.take(length);
    first ??= block;
  }
  return first;
}

function isRepetition(name: Uint8Array | undefined, whole: Uint8Array): boolean {
  const is = name && Buffer.from(name).toString("latin1");
  return (is === "NETSCAPE2.0" || is === "ANIMEXTS1.0") && whole.length === 19;
}

/** In milliseconds. What is quicker than browsers show takes them a tenth of a second. */
function delayOf(control: Uint8Array): number {
  const hundredths = (control[4] ?? 0) + 256 * (control[5] ?? 0);
  return hundredths > 1 ? 10 * hundredths : 100;
}
