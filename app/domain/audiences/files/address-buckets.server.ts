import { hashBytes } from "../members/block.ts";
import { maxAddressLength } from "../members/postal-address.ts";

const entryBytes = hashBytes + 1 + maxAddressLength;
const entriesPerSegment = 128;

/**
 * The addresses of people as they are read, by the first byte of the hash that each belongs to. Uses 109 bytes each.
 */
export class AddressBuckets {
  private readonly buckets = Array.from({ length: 256 }, (): { segments: Buffer[]; count: number } => ({
    segments: [],
    count: 0,
  }));

  /** Of several addresses of a person, the one that was put last counts. */
  put(hash: string, address: string): void {
    const bucket = this.buckets[hash.charCodeAt(0)];
    if (!bucket) return;
    const place = bucket.count % entriesPerSegment;
    if (place === 0) bucket.segments.push(Buffer.allocUnsafeSlow(entriesPerSegment * entryBytes));
    const at = place * entryBytes;
    const segment = bucket.segments.at(-1);
    segment?.write(hash, at, "latin1");
    segment?.writeUInt8(address.length, at + hashBytes);
    segment?.write(address, at + hashBytes + 1, "latin1");
    bucket.count += 1;
  }

  /** Adds the addresses of bucket `index` to `found`. */
  collect(index: number, found: Map<string, string>): void {
    const { segments, count } = this.buckets[index] ?? { segments: [], count: 0 };
    for (let entry = 0; entry < count; entry += 1) {
      const segment = segments[Math.floor(entry / entriesPerSegment)];
      if (!segment) break;
      const at = (entry % entriesPerSegment) * entryBytes;
      const start = at + hashBytes + 1;
      const hash = segment.toString("latin1", at, at + hashBytes);
      found.set(hash, segment.toString("latin1", start, start + segment.readUInt8(at + hashBytes)));
    }
  }
}
