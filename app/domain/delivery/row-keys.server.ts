import { hash } from "node:crypto";

/** The keys of a report's rows, to find those that are there twice. `add` returns false for a known one. */
export type RowKeys = { add: (key: string) => boolean };

/** Remembers the keys of as many rows as a request may have. */
export function keysOfRequest(): RowKeys {
  const known = new Set<string>();
  return { add: (key) => known.size < known.add(key).size };
}

/** How full the table may be: a search then takes a few steps. */
const maxLoad = 0.75;

/**
 * Remembers the keys of a file of any length in 11 to 22 bytes each; a Set needs 140, and ends at 16 million. It keeps
 * 64 bits of their SHA-256: one in 100,000 files of 16 million rows has a row that is taken for another one, and
 * rejected.
 */
export function keysOfFile(): RowKeys {
  let slots = new Uint32Array(2 * 1_024);
  let size = 0;

  function grow(): void {
    const before = slots;
    slots = new Uint32Array(2 * before.length);
    for (let at = 0; at < before.length; at += 2) {
      const [high = 0, low = 0] = [before[at], before[at + 1]];
      if (low !== 0) insert(high, low);
    }
  }

  /** `low` is not 0, which marks a free slot. */
  function insert(high: number, low: number): boolean {
    const mask = slots.length - 1;
    for (let at = (2 * high) & mask; ; at = (at + 2) & mask) {
      if (slots[at + 1] === 0) {
        slots[at] = high;
        slots[at + 1] = low;
        return true;
      }
      if (slots[at] === high && slots[at + 1] === low) return false;
    }
  }

  return {
    add(key) {
      const digest = hash("sha256", key, "binary");
      const isNew = insert(numberAt(digest, 0), numberAt(digest, 4) || 1);
      if (isNew) size += 1;
      if (2 * size > maxLoad * slots.length) grow();
      return isNew;
    },
  };
}

/** Returns four bytes of a `latin1` string as a number. */
function numberAt(bytes: string, at: number): number {
  const byte = (index: number) => bytes.charCodeAt(at + index) << (8 * index);
  return (byte(0) | byte(1) | byte(2) | byte(3)) >>> 0;
}
