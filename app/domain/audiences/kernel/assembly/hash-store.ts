// The members read so far: hashes with one byte of flags each, in 256 buckets by their first byte. Normalized
// variants of an identifier are stored separately, each with the hash that it is a variant of.

import { alignToLine, allocate, allocated, hashBytes, releaseTo } from "./memory";

/**
 * A chunk consists of the address of the next chunk, its records, and their flags. The header is as long as a line of
 * the processor's cache, so that no hash lies on two of them.
 */
const header: usize = 64;
const perChunk: u32 = 256;
const perSpelledChunk: u32 = 64;
const chunkBytes: usize = header + <usize>perChunk * 33;
const spelledChunkBytes: usize = header + <usize>perSpelledChunk * 65;

// For each bucket: its first chunk, its last chunk, and its number of records.
const heads: usize = allocate(256 * 4);
const tails: usize = allocate(256 * 4);
const counts: usize = allocate(256 * 4);
const spelledHeads: usize = allocate(256 * 4);
const spelledTails: usize = allocate(256 * 4);
const spelledCounts: usize = allocate(256 * 4);
/** The address after all fixed allocations. */
let begin: usize = 0;

let total: u32 = 0;

export function putHash(hash: usize, tag: u8): void {
  const bucket = <usize>load<u8>(hash) << 2;
  const count = load<u32>(counts + bucket);
  const index = <usize>(count % perChunk);
  if (index == 0) addChunk(heads + bucket, tails + bucket, chunkBytes);
  const chunk = <usize>load<u32>(tails + bucket);
  const at = chunk + header + (index << 5);
  v128.store(at, v128.load(hash));
  v128.store(at, v128.load(hash, 16), 16);
  store<u8>(chunk + header + <usize>(perChunk * hashBytes) + index, tag);
  store<u32>(counts + bucket, count + 1);
  total += 1;
}

export function putVariant(hash: usize, tag: u8, own: usize): void {
  const bucket = <usize>load<u8>(hash) << 2;
  const count = load<u32>(spelledCounts + bucket);
  const index = <usize>(count % perSpelledChunk);
  if (index == 0) addChunk(spelledHeads + bucket, spelledTails + bucket, spelledChunkBytes);
  const chunk = <usize>load<u32>(spelledTails + bucket);
  const at = chunk + header + (index << 6);
  v128.store(at, v128.load(hash));
  v128.store(at, v128.load(hash, 16), 16);
  v128.store(at, v128.load(own), 32);
  v128.store(at, v128.load(own, 16), 48);
  store<u8>(chunk + header + <usize>(perSpelledChunk << 6) + index, tag);
  store<u32>(spelledCounts + bucket, count + 1);
  total += 1;
}

function addChunk(head: usize, tail: usize, bytes: usize): void {
  const chunk = allocate(bytes);
  const last = <usize>load<u32>(tail);
  store<u32>(last == 0 ? head : last, <u32>chunk);
  store<u32>(tail, <u32>chunk);
}

/** The number of records in all buckets. */
export function recordCount(): u32 {
  return total;
}

export function primaryCount(bucket: u32): u32 {
  return load<u32>(counts + (<usize>bucket << 2));
}

export function variantCount(bucket: u32): u32 {
  return load<u32>(spelledCounts + (<usize>bucket << 2));
}

/** Writes the addresses of a bucket's chunks to `to`, one after the other, and returns the address after them. */
export function listChunks(bucket: u32, spelled: bool, to: usize): usize {
  const count = spelled ? variantCount(bucket) : primaryCount(bucket);
  const most = spelled ? perSpelledChunk : perChunk;
  let chunk = <usize>load<u32>((spelled ? spelledHeads : heads) + (<usize>bucket << 2));
  for (let left = <i32>((count + most - 1) / most); left > 0; left -= 1) {
    store<u32>(to, <u32>chunk);
    to += 4;
    chunk = <usize>load<u32>(chunk);
  }
  return to;
}

// @ts-ignore: decorator
@inline
export function primaryAt(chunks: usize, index: u32): usize {
  return <usize>load<u32>(chunks + (<usize>(index / perChunk) << 2)) + header + (<usize>(index % perChunk) << 5);
}

// @ts-ignore: decorator
@inline
export function primaryFlagsAt(chunks: usize, index: u32): u8 {
  const chunk = <usize>load<u32>(chunks + (<usize>(index / perChunk) << 2));
  return load<u8>(chunk + header + <usize>(perChunk * hashBytes) + <usize>(index % perChunk));
}

// @ts-ignore: decorator
@inline
export function variantAt(chunks: usize, index: u32): usize {
  return (
    <usize>load<u32>(chunks + (<usize>(index / perSpelledChunk) << 2)) + header + (<usize>(index % perSpelledChunk) << 6)
  );
}

// @ts-ignore: decorator
@inline
export function variantFlagsAt(chunks: usize, index: u32): u8 {
  const chunk = <usize>load<u32>(chunks + (<usize>(index / perSpelledChunk) << 2));
  return load<u8>(chunk + header + <usize>(perSpelledChunk << 6) + <usize>(index % perSpelledChunk));
}

/** Marks the end of the fixed allocations; memory after it is for members. */
export function initStore(): void {
  alignToLine();
  begin = allocated();
}

/** Deletes all members so that their memory can be reused. */
export function clearStore(): void {
  memory.fill(heads, 0, 6 * 256 * 4);
  releaseTo(begin);
  total = 0;
}
