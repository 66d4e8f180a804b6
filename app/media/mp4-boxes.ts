import { ByteReader } from "./byte-reader.ts";
import { MediaError, mediaErrorMessages } from "./media.ts";

/** A box of an MP4: the offsets of its start, its content and its end. */
export type Box = { type: string; start: number; content: number; end: number };

/** Reads the boxes between two offsets, which they must fill exactly. Throws MediaError. */
export function readBoxes(bytes: Uint8Array, { from, to }: { from: number; to: number }): Box[] {
  const reader = new ByteReader(bytes.subarray(0, to));
  const boxes: Box[] = [];
  for (reader.at = from; reader.at < to; ) {
    const start = reader.at;
    const size = reader.u32();
    const type = reader.text(4);
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type))
      throw new MediaError(boxes.length > 0 ? mediaErrorMessages.trailingData : mediaErrorMessages.damaged);
    const length = size === 1 ? reader.u64() : size === 0 ? to - start : size;
    if (length < reader.at - start) throw new MediaError(mediaErrorMessages.damaged);
    const end = start + length;
    if (end > to) throw new MediaError(mediaErrorMessages.truncated);
    boxes.push({ type, start, content: reader.at, end });
    reader.at = end;
  }
  return boxes;
}

/** Reads the boxes inside a box. */
export function childBoxes(bytes: Uint8Array, box: Box): Box[] {
  return readBoxes(bytes, { from: box.content, to: box.end });
}

/** Returns a reader of a box's content, after its version and flags, which ends where the box ends. */
export function openBox(bytes: Uint8Array, box: Box): { reader: ByteReader; version: number } {
  const reader = new ByteReader(bytes.subarray(0, box.end));
  reader.at = box.content;
  const version = reader.u8();
  reader.readBytes(3);
  return { reader, version };
}
