import { type Block, hashBytes } from "./block.ts";
import { identifierKinds, kindFromFlags, mergeFlags } from "./identifier-flags.ts";

/** A file fills segments of the maximum size; a request for a few people has one hash in most buckets. */
const [minPerSegment, maxPerSegment] = [16, 1_024];
const empty = new Uint8Array(0);

type Segment = { hashes: Buffer; tags: Uint8Array; used: number };

/** Hashes in insertion order, in segments, so that growing never copies existing hashes. */
export class SegmentedBucket {
  private segments: Segment[] = [];
  private count = 0;
  /** Maps the position of each variant to its canonical hash. */
  private canonicalHashOf = new Map<number, string>();

  /** `bytes`: 32 bytes in a `latin1` string. */
  put(bytes: string, tag: number, canonicalHash?: string): void {
    const segment = this.segmentWithRoom();
    segment.hashes.write(bytes, segment.used * hashBytes, hashBytes, "latin1");
    segment.tags[segment.used] = tag;
    segment.used += 1;
    if (canonicalHash !== undefined) this.canonicalHashOf.set(this.count, canonicalHash);
    this.count += 1;
  }

  /** Returns the hashes sorted and without duplicates, and empties the bucket. */
  drainSorted(): Block {
    const { segments, count, canonicalHashOf } = this;
    this.segments = [];
    this.count = 0;
    this.canonicalHashOf = new Map();
    if (count === 0) return { hashes: empty, flags: empty, canonicalHashes: empty };
    const allHashes = Buffer.concat(segments.map(({ hashes, used }) => hashes.subarray(0, used * hashBytes)));
    const tags = Buffer.concat(segments.map(({ tags, used }) => tags.subarray(0, used)));
    const out = { hashes: Buffer.allocUnsafeSlow(count * hashBytes), tags: new Uint8Array(count), length: 0 };
    const canonicalHashes: string[] = [];
    for (const position of sortedPositions(allHashes, count)) {
      const from = position * hashBytes;
      const last = (out.length - 1) * hashBytes;
      const tag = tags[position] ?? 0;
      const own = canonicalHashOf.get(position) ?? "";
      if (out.length > 0 && allHashes.compare(out.hashes, last, last + hashBytes, from, from + hashBytes) === 0) {
        const before = out.tags[out.length - 1] ?? 0;
        const both = mergeFlags(before, tag);
        const wasVariant = kindFromFlags(before) === identifierKinds.variant;
        if (wasVariant && kindFromFlags(both) !== identifierKinds.variant) canonicalHashes.pop();
        if (!wasVariant && kindFromFlags(both) === identifierKinds.variant) canonicalHashes.push(own);
        out.tags[out.length - 1] = both;
        continue;
      }
      allHashes.copy(out.hashes, out.length * hashBytes, from, from + hashBytes);
      out.tags[out.length] = tag;
      out.length += 1;
      if (kindFromFlags(tag) === identifierKinds.variant) canonicalHashes.push(own);
    }
    return {
      hashes: out.hashes.subarray(0, out.length * hashBytes),
      flags: out.tags.subarray(0, out.length),
      canonicalHashes: canonicalHashes.length === 0 ? empty : Buffer.from(canonicalHashes.join(""), "latin1"),
    };
  }

  /** Returns the last segment, or a new one of twice its size when it is full. */
  private segmentWithRoom(): Segment {
    const last = this.segments[this.segments.length - 1];
    if (last && last.used < last.tags.length) return last;
    const size = last ? Math.min(maxPerSegment, 2 * last.tags.length) : minPerSegment;
    const next = { hashes: Buffer.allocUnsafeSlow(size * hashBytes), tags: new Uint8Array(size), used: 0 };
    this.segments.push(next);
    return next;
  }
}

/**
 * Returns the positions in the order of their hashes. The sort keys are numbers made of the second to fifth byte of the
 * hash (the first is the same in the bucket) with the position below them, which a double represents exactly. The few
 * ties are sorted by the whole hash.
 */
function sortedPositions(hashes: Buffer, count: number): number[] {
  const positionRange = 2 ** 21;
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index += 1)
    keys[index] = hashes.readUInt32BE(index * hashBytes + 1) * positionRange + index;
  keys.sort();
  const positions = Array.from(keys, (key) => key % positionRange);
  for (let start = 0; start < count; ) {
    const prefix = Math.floor((keys[start] ?? 0) / positionRange);
    let end = start + 1;
    while (end < count && Math.floor((keys[end] ?? 0) / positionRange) === prefix) end += 1;
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
