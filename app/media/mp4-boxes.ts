import { ByteReader } from "./byte-reader.ts";
import { MediaError, refusals } from "./media.ts";

/** One box of an MP4: where it begins, where its content does, and where it ends. */
export type Box = { type: string; start: number; content: number; end: number };

/** The boxes between two places, which they must fill exactly. Throws MediaError. */
export function boxesIn(bytes: Uint8Array, { from, to }: { from: number; to: number }): Box[] {
  const reader = new ByteReader(bytes.subarray(0, to));
  const boxes: Box[] = [];
  for (reader.at = from; reader.at < to; ) {
    const start = reader.at;
    const size = reader.u32();
    const type = reader.text(4);
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) throw new MediaError(boxes.length > 0 ? refusals.behind : refusals.damaged);
    const length = size === 1 ? reader.u64() : size === 0 ? to - start : size;
    if (length < reader.at - start) throw new MediaError(refusals.damaged);
    const end = start + length;
    if (end > to) throw new MediaError(refusals.cutOff);
    boxes.push({ type, start, content: reader.at, end });
    reader.at = end;
  }
  return boxes;
}

/** The boxes in a box. */
export function innerBoxes(bytes: Uint8Array, box: Box): Box[] {
  return boxesIn(bytes, { from: box.content, to: box.end });
}

/** A reader at the content of a box, behind its version and flags, which ends where the box does. */
export function openBox(bytes: Uint8Array, box: Box): { reader: ByteReader; version: number } {
  const reader = new ByteReader(bytes.subarray(0, box.end));
  reader.at = box.content;
  const version = reader.u8();
  reader.take(3);
  return { reader, version };
}
