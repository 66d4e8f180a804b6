import { type Block, hashBytes } from "./block.ts";
import { kindOf, kinds, resolveTags } from "./tag.ts";

const perSegment = 1_024;
const empty = new Uint8Array(0);

/** Hashes in the order they came, in segments: growing never copies what is there. */
export class SegmentedBucket {
  private segments: { hashes: Buffer; tags: Uint8Array }[] = [];
  private used = perSegment;
  /** For the few that are other spellings: position to own hash. */
  private spellingOf = new Map<number, string>();

  /** `bytes` are 32, in a `latin1` string. */
  put(bytes: string, tag: number, spellingOf?: string): void {
    if (this.used === perSegment) {
      this.segments.push({ hashes: Buffer.allocUnsafeSlow(perSegment * hashBytes), tags: new Uint8Array(perSegment) });
      this.used = 0;
    }
    const segment = this.segments[this.segments.length - 1];
    if (!segment) return;
    segment.hashes.write(bytes, this.used * hashBytes, hashBytes, "latin1");
    segment.tags[this.used] = tag;
    if (spellingOf !== undefined) this.spellingOf.set((this.segments.length - 1) * perSegment + this.used, spellingOf);
    this.used += 1;
  }

  /** Sorted, with equal hashes made one, and empties the bucket. */
  takeSorted(): Block {
    const { segments, spellingOf } = this;
    const count = segments.length === 0 ? 0 : (segments.length - 1) * perSegment + this.used;
    this.segments = [];
    this.used = perSegment;
    this.spellingOf = new Map();
    if (count === 0) return { hashes: empty, tags: empty, spellings: empty };
    const gathered = Buffer.concat(segments.map((segment) => segment.hashes));
    const tags = Buffer.concat(segments.map((segment) => segment.tags));
    const out = { hashes: Buffer.allocUnsafeSlow(count * hashBytes), tags: new Uint8Array(count), length: 0 };
    const spellings: string[] = [];
    for (const position of sortedPositions(gathered, count)) {
      const from = position * hashBytes;
      const last = (out.length - 1) * hashBytes;
      const tag = tags[position] ?? 0;
      const own = spellingOf.get(position) ?? "";
      if (out.length > 0 && gathered.compare(out.hashes, last, last + hashBytes, from, from + hashBytes) === 0) {
        const before = out.tags[out.length - 1] ?? 0;
        const both = resolveTags(before, tag);
        const was = kindOf(before) === kinds.spelling;
        if (was && kindOf(both) !== kinds.spelling) spellings.pop();
        if (!was && kindOf(both) === kinds.spelling) spellings.push(own);
        out.tags[out.length - 1] = both;
        continue;
      }
      gathered.copy(out.hashes, out.length * hashBytes, from, from + hashBytes);
      out.tags[out.length] = tag;
      out.length += 1;
      if (kindOf(tag) === kinds.spelling) spellings.push(own);
    }
    return {
      hashes: out.hashes.subarray(0, out.length * hashBytes),
      tags: out.tags.subarray(0, out.length),
      spellings: spellings.length === 0 ? empty : Buffer.from(spellings.join(""), "latin1"),
    };
  }
}

/**
 * The positions in the order of their hashes. Sorted as numbers of the hash's second to fifth byte (the first is the
 * bucket's) with the position below them, which a double holds exactly; the few that tie are compared whole.
 */
function sortedPositions(hashes: Buffer, count: number): number[] {
  const room = 2 ** 21;
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index += 1)
    keys[index] = hashes.readUInt32BE(index * hashBytes + 1) * room + index;
  keys.sort();
  const positions = Array.from(keys, (key) => key % room);
  for (let start = 0; start < count; ) {
    const prefix = Math.floor((keys[start] ?? 0) / room);
    let end = start + 1;
    while (end < count && Math.floor((keys[end] ?? 0) / room) === prefix) end += 1;
    if (end - start > 1) {
      const tied = positions.slice(start, end);
      tied.sort((a, b) =>
        hashes.compare(hashes, b * hashBytes, (b + 1) * hashBytes, a * hashBytes, (a + 1) * hashBytes),
      );
      for (const [offset, position] of tied.entries()) positions[start + offset] = position;
    }
    start = end;
  }
  return positions;
}
