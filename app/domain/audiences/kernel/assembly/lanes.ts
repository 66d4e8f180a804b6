// Messages that wait to be hashed and hashes that wait for the end of their row. A row is stored completely or not at
// all.

import { allocate, hashBytes, maxCells } from "./memory";
import { hashFour } from "./sha256";
import { putHash, putVariant } from "./hash-store";
import { hasVariants, isVariant } from "./identifier-flags";

/** The size of a SHA-256 block in bytes: the message, a one bit, and the message length at its end. */
export const laneBytes: u32 = 64;
/** The longest message, in bytes, that fits into one block. */
export const maxMessageBytes: u32 = 55;

/** Four lanes that wait for the next row, two for each identifier of a row, and four beyond the last lane to hash. */
const mostLanes: usize = 4 + 2 * <usize>maxCells + 4;
const lanes: usize = allocate(mostLanes * laneBytes);
const laneTags: usize = allocate(mostLanes);
const digests: usize = allocate(4 * hashBytes);
const ownHash: usize = allocate(hashBytes);
const readyHashes: usize = allocate(<usize>maxCells * hashBytes);
const readyTags: usize = allocate(maxCells);

/** The number of lanes of committed rows. `used` also counts the lanes of the current row. */
let pending: u32 = 0;
let used: u32 = 0;
let ready: u32 = 0;

/** Discards the lanes and hashes of the current row. */
export function beginRow(): void {
  used = pending;
  ready = 0;
}

/** Returns the address of the next lane, which may hold data of an earlier row. */
// @ts-ignore: decorator
@inline
export function nextLane(): usize {
  return lanes + <usize>used * laneBytes;
}

/** Completes the next lane, which holds a message of `length` bytes followed by zeros. */
// @ts-ignore: decorator
@inline
export function pushLane(length: u32, tag: u8): void {
  const lane = nextLane();
  store<u8>(lane + length, 0x80);
  store<u16>(lane, bswap<u16>(<u16>(length << 3)), 62);
  store<u8>(laneTags + used, tag);
  used += 1;
}

/** Returns the address for a hash that the row contains as a hash. */
export function nextReadyHash(): usize {
  return readyHashes + <usize>ready * hashBytes;
}

export function pushReadyHash(tag: u8): void {
  store<u8>(readyTags + ready, tag);
  ready += 1;
}

/** Commits the row: stores its ready hashes and hashes its messages as soon as there are four. */
export function commitRow(): void {
  for (let index: usize = 0; index < <usize>ready; index += 1) {
    putHash(readyHashes + index * hashBytes, load<u8>(readyTags + index));
  }
  ready = 0;
  pending = used;
  let done: u32 = 0;
  while (pending - done >= 4) {
    hashLanes(done, 4);
    done += 4;
  }
  if (done == 0 || done == pending) {
    if (done == pending) pending = 0;
    return;
  }
  memory.copy(lanes, lanes + <usize>done * laneBytes, <usize>(pending - done) * laneBytes);
  memory.copy(laneTags, laneTags + done, pending - done);
  pending -= done;
}

/** Hashes the messages that still wait. */
export function finishLanes(): void {
  if (pending > 0) hashLanes(0, pending);
  pending = 0;
}

function hashLanes(from: u32, count: u32): void {
  hashFour(lanes + <usize>from * laneBytes, digests);
  for (let index: usize = 0; index < <usize>count; index += 1) {
    const digest = digests + index * hashBytes;
    const tag = load<u8>(laneTags + <usize>from + index);
    if (isVariant(tag)) {
      putVariant(digest, tag, ownHash);
      continue;
    }
    putHash(digest, tag);
    // The variant is in the next lane, possibly in the next group of four.
    if (hasVariants(tag)) memory.copy(ownHash, digest, hashBytes);
  }
}
