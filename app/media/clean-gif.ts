import { ByteReader } from "./byte-reader.ts";
import { type CleanMedia, MediaError, mediaErrorMessages, requireFrames, requireSize } from "./media.ts";

/**
 * Returns a GIF with its frames, delays and loop count only: without comments, texts or application data. Throws
 * MediaError.
 */
export function cleanGif(bytes: Uint8Array): CleanMedia {
  const reader = new ByteReader(bytes);
  reader.readBytes(6);
  const width = reader.u16(true);
  const height = reader.u16(true);
  requireSize({ width, height });
  skipColorTable(reader, 2);
  const parts = [bytes.subarray(0, reader.at)];
  const seen = { frames: 0, framePixels: 0, durationMs: 0 };
  /** The graphic control of the next frame; dropped when no frame follows. */
  let control: Uint8Array | undefined;
  for (let kind = reader.u8(); kind !== 0x3b; kind = reader.u8()) {
    const from = reader.at - 1;
    if (kind === 0x2c) {
      reader.readBytes(4);
      const frame = { width: reader.u16(true), height: reader.u16(true) };
      requireSize(frame);
      seen.frames += 1;
      seen.framePixels += frame.width * frame.height;
      requireFrames(seen);
      skipColorTable(reader, 0);
      const codeSize = reader.u8();
      if (codeSize < 1 || codeSize > 11) throw new MediaError(mediaErrorMessages.damaged);
      readSubBlocks(reader);
      if (control) {
        parts.push(control);
        seen.durationMs += frameDelayMs(control);
      }
      parts.push(bytes.subarray(from, reader.at));
      control = undefined;
    } else if (kind === 0x21) {
      const label = reader.u8();
      const first = readSubBlocks(reader);
      const whole = bytes.subarray(from, reader.at);
      if (label === 0xf9 && whole.length === 8) control = whole;
      else if (label === 0xff && isLoopExtension(first, whole)) parts.push(whole);
      else if (label === 0x01) control = undefined;
    } else throw new MediaError(mediaErrorMessages.damaged);
  }
  if (seen.frames === 0) throw new MediaError(mediaErrorMessages.damaged);
  if (reader.bytes.subarray(reader.at).some((byte) => byte !== 0))
    throw new MediaError(mediaErrorMessages.trailingData);
  parts.push(Uint8Array.of(0x3b));
  return { type: "image/gif", width, height, durationMs: seen.frames > 1 ? seen.durationMs : null, parts };
}

/** Skips the flags byte, `more` further bytes, and the color table that the flags may announce. */
function skipColorTable(reader: ByteReader, more: number): void {
  const flags = reader.u8();
  reader.readBytes(more);
  if (flags & 0x80) reader.readBytes(3 * 2 ** ((flags & 7) + 1));
}

/** Reads sub-blocks of at most 255 bytes up to an empty one, and returns the first of them. */
function readSubBlocks(reader: ByteReader): Uint8Array | undefined {
  let first: Uint8Array | undefined;
  for (let length = reader.u8(); length > 0; length = reader.u8()) {
    const block = reader.readBytes(length);
    first ??= block;
  }
  return first;
}

function isLoopExtension(name: Uint8Array | undefined, whole: Uint8Array): boolean {
  const is = name && Buffer.from(name).toString("latin1");
  return (is === "NETSCAPE2.0" || is === "ANIMEXTS1.0") && whole.length === 19;
}

/** Returns the delay of a frame in milliseconds. Browsers replace delays of 0 and 10 ms with 100 ms. */
function frameDelayMs(control: Uint8Array): number {
  const hundredths = (control[4] ?? 0) + 256 * (control[5] ?? 0);
  return hundredths > 1 ? 10 * hundredths : 100;
}
