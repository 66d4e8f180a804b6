// Sorts a bucket in ascending order and merges equal hashes.

import { allocate, allocated, hashBytes, releaseTo } from "./memory";
import { listChunks, primaryAt, primaryCount, primaryFlagsAt, variantAt, variantCount, variantFlagsAt } from "./hash-store";
import { isVariant, mergeFlags } from "./identifier-flags";

/** Buckets with fewer records are sorted by comparison only. */
const few: u32 = 256;
const digits: u32 = 2_048;
/** The bits of a key that are not among the two digits by which it is sorted. */
const restBits: u32 = 10;
const histogram: usize = allocate(<usize>digits * 2 * 4);

/** The result of the last sort: addresses and counts. */
export let sortedHashes: usize = 0;
export let sortedFlags: usize = 0;
export let sortedCanonicalHashes: usize = 0;
export let sortedCount: u32 = 0;
export let sortedVariantCount: u32 = 0;

let plainChunks: usize = 0;
let spelledChunks: usize = 0;
let plains: u32 = 0;

/** Sorts a bucket into memory that the next allocation reuses. The bucket itself does not change. */
export function sortBucket(bucket: u32): void {
  plains = primaryCount(bucket);
  const count = plains + variantCount(bucket);
  if (count == 0) {
    sortedCount = 0;
    sortedVariantCount = 0;
    return;
  }
  const before = allocated();
  plainChunks = allocate(<usize>(plains / 256 + 1) << 2);
  listChunks(bucket, false, plainChunks);
  spelledChunks = allocate(<usize>((count - plains) / 64 + 1) << 2);
  listChunks(bucket, true, spelledChunks);
  let keys = allocate(<usize>count << 3);
  const other = allocate(<usize>count << 3);
  sortedHashes = allocate(<usize>count << 5);
  sortedFlags = allocate(<usize>count);
  sortedCanonicalHashes = allocate(<usize>(count - plains) << 5);
  for (let index: u32 = 0; index < count; index += 1) {
    // The first byte is the same in the whole bucket; the next four bytes are the key, with the record's index
    // below them.
    store<u64>(keys + (<usize>index << 3), (<u64>bswap<u32>(load<u32>(hashOf(index), 1)) << 32) | index);
  }
  if (count < few) heapSort(keys, count);
  else {
    keys = sortKeys(keys, other, count);
    orderTies(keys, count);
  }
  emit(keys, count);
  releaseTo(before);
}

// @ts-ignore: decorator
@inline
function hashOf(index: u32): usize {
  return index < plains ? primaryAt(plainChunks, index) : variantAt(spelledChunks, index - plains);
}

/**
 * Radix sort by the upper 22 bits in two passes of eleven bits: linear for any distribution of hashes. Returns the
 * address of the result.
 */
function sortKeys(keys: usize, other: usize, count: u32): usize {
  memory.fill(histogram, 0, <usize>digits * 2 * 4);
  for (let at = keys, end = keys + (<usize>count << 3); at < end; at += 8) {
    const key = load<u32>(at, 4);
    increase(histogram + (<usize>((key >> restBits) & 2_047) << 2));
    increase(histogram + (<usize>((key >> (restBits + 11)) + digits) << 2));
  }
  for (let pass: u32 = 0; pass < 2; pass += 1) {
    const places = histogram + (<usize>(pass * digits) << 2);
    let place: u32 = 0;
    for (let digit: usize = 0; digit < <usize>digits; digit += 1) {
      const many = load<u32>(places + (digit << 2));
      store<u32>(places + (digit << 2), place);
      place += many;
    }
    for (let at = keys, end = keys + (<usize>count << 3); at < end; at += 8) {
      const entry = load<u64>(at);
      const digit = places + (<usize>((<u32>(entry >> 32) >> (restBits + pass * 11)) & 2_047) << 2);
      const to = load<u32>(digit);
      store<u64>(other + (<usize>to << 3), entry);
      store<u32>(digit, to + 1);
    }
    const swapped = keys;
    keys = other;
    other = swapped;
  }
  return keys;
}

// @ts-ignore: decorator
@inline
function increase(at: usize): void {
  store<u32>(at, load<u32>(at) + 1);
}

function orderTies(keys: usize, count: u32): void {
  for (let start: u32 = 0; start < count; ) {
    const key = load<u32>(keys + (<usize>start << 3), 4) >> restBits;
    let end = start + 1;
    while (end < count && load<u32>(keys + (<usize>end << 3), 4) >> restBits == key) end += 1;
    if (end - start > 1) heapSort(keys + (<usize>start << 3), end - start);
    start = end;
  }
}

/** Sorts records whose keys begin alike. Heapsort stays fast even when an uploader chose hashes with equal keys. */
function heapSort(entries: usize, count: u32): void {
  for (let root = <i32>(count >> 1) - 1; root >= 0; root -= 1) sink(entries, <u32>root, count);
  for (let last = count - 1; last > 0; last -= 1) {
    const top = load<u64>(entries);
    store<u64>(entries, load<u64>(entries + (<usize>last << 3)));
    store<u64>(entries + (<usize>last << 3), top);
    sink(entries, 0, last);
  }
}

function sink(entries: usize, root: u32, count: u32): void {
  const entry = load<u64>(entries + (<usize>root << 3));
  while (true) {
    let child: u32 = 2 * root + 1;
    if (child >= count) break;
    const first = entries + (<usize>child << 3);
    if (child + 1 < count && isBelow(load<u64>(first), load<u64>(first, 8))) child += 1;
    const below = load<u64>(entries + (<usize>child << 3));
    if (!isBelow(entry, below)) break;
    store<u64>(entries + (<usize>root << 3), below);
    root = child;
  }
  store<u64>(entries + (<usize>root << 3), entry);
}

// @ts-ignore: decorator
@inline
function isBelow(one: u64, other: u64): bool {
  return compareHashes(hashOf(<u32>one), hashOf(<u32>other)) < 0;
}

/** Returns a number below 0, 0, or above 0, as the two hashes compare. */
export function compareHashes(one: usize, other: usize): i32 {
  for (let at: usize = 0; at < <usize>hashBytes; at += 8) {
    const a = bswap<u64>(load<u64>(one + at));
    const b = bswap<u64>(load<u64>(other + at));
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

function emit(keys: usize, count: u32): void {
  let out = sortedHashes;
  let tags = sortedFlags;
  let variantsEnd = sortedCanonicalHashes;
  let keyBefore: u32 = 0;
  for (let at = keys, end = keys + (<usize>count << 3); at < end; at += 8) {
    const index = load<u32>(at);
    const hash = hashOf(index);
    const tag = index < plains ? primaryFlagsAt(plainChunks, index) : variantFlagsAt(spelledChunks, index - plains);
    const key = load<u32>(at, 4);
    const isSame = key == keyBefore && tags != sortedFlags && compareHashes(out - hashBytes, hash) == 0;
    keyBefore = key;
    if (isSame) {
      const before = load<u8>(tags - 1);
      const both = mergeFlags(before, tag);
      if (isVariant(before) && !isVariant(both)) variantsEnd -= hashBytes;
      if (!isVariant(before) && isVariant(both)) variantsEnd = copyHash(hash + hashBytes, variantsEnd);
      store<u8>(tags - 1, both);
      continue;
    }
    out = copyHash(hash, out);
    store<u8>(tags, tag);
    tags += 1;
    if (isVariant(tag)) variantsEnd = copyHash(hash + hashBytes, variantsEnd);
  }
  sortedCount = <u32>(tags - sortedFlags);
  sortedVariantCount = <u32>((variantsEnd - sortedCanonicalHashes) >> 5);
}

// @ts-ignore: decorator
@inline
function copyHash(from: usize, to: usize): usize {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  return to + hashBytes;
}
