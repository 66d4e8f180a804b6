// The people read so far: hashes with a tag each, in 256 buckets by their first byte. Other spellings of an identifier
// are kept apart, each with the hash that it is a spelling of.

import { allocate, allocated, hashBytes, releaseTo } from "./memory";

/** A chunk: the address of the next one, its records, their tags. */
const header: usize = 16;
const perChunk: u32 = 256;
const perSpelledChunk: u32 = 64;
const chunkBytes: usize = header + <usize>perChunk * 33;
const spelledChunkBytes: usize = header + <usize>perSpelledChunk * 65;

// For each bucket: its first chunk, its last one, how many records.
const heads: usize = allocate(256 * 4);
const tails: usize = allocate(256 * 4);
const counts: usize = allocate(256 * 4);
const spelledHeads: usize = allocate(256 * 4);
const spelledTails: usize = allocate(256 * 4);
const spelledCounts: usize = allocate(256 * 4);
/** What comes after everything that has a fixed place. */
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

export function putSpelling(hash: usize, tag: u8, own: usize): void {
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

/** Records in all buckets. */
export function recordCount(): u32 {
  return total;
}

export function plainCount(bucket: u32): u32 {
  return load<u32>(counts + (<usize>bucket << 2));
}

export function spelledCount(bucket: u32): u32 {
  return load<u32>(spelledCounts + (<usize>bucket << 2));
}

/** Writes the addresses of a bucket's chunks to `to`, one after the other; back with the address behind them. */
export function listChunks(bucket: u32, spelled: bool, to: usize): usize {
  const count = spelled ? spelledCount(bucket) : plainCount(bucket);
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
export function plainAt(chunks: usize, index: u32): usize {
  return <usize>load<u32>(chunks + (<usize>(index / perChunk) << 2)) + header + (<usize>(index % perChunk) << 5);
}

// @ts-ignore: decorator
@inline
export function plainTagAt(chunks: usize, index: u32): u8 {
  const chunk = <usize>load<u32>(chunks + (<usize>(index / perChunk) << 2));
  return load<u8>(chunk + header + <usize>(perChunk * hashBytes) + <usize>(index % perChunk));
}

// @ts-ignore: decorator
@inline
export function spelledAt(chunks: usize, index: u32): usize {
  return (
    <usize>load<u32>(chunks + (<usize>(index / perSpelledChunk) << 2)) + header + (<usize>(index % perSpelledChunk) << 6)
  );
}

// @ts-ignore: decorator
@inline
export function spelledTagAt(chunks: usize, index: u32): u8 {
  const chunk = <usize>load<u32>(chunks + (<usize>(index / perSpelledChunk) << 2));
  return load<u8>(chunk + header + <usize>(perSpelledChunk << 6) + <usize>(index % perSpelledChunk));
}

/** From here on memory is for people. */
export function beginStore(): void {
  begin = allocated();
}

/** Forgets everybody. The memory is used again. */
export function forgetAll(): void {
  memory.fill(heads, 0, 6 * 256 * 4);
  releaseTo(begin);
  total = 0;
}
