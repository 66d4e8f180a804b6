// Messages that wait to be hashed, and hashes that wait for the end of their row. A row goes in whole or not at all.

import { allocate, hashBytes, mostCells } from "./memory";
import { hashFour } from "./sha256";
import { putHash, putSpelling } from "./store";
import { isSpelled, isSpelling } from "./tag";

/** A block of SHA-256, in bytes: the message, a one bit, and the length at its end. */
export const laneBytes: u32 = 64;
/** The longest message that is one block. */
export const longestMessage: u32 = 55;

/** Four that wait for the next row, two for each identifier of a row, and four beyond the last to hash. */
const mostLanes: usize = 4 + 2 * <usize>mostCells + 4;
const lanes: usize = allocate(mostLanes * laneBytes);
const laneTags: usize = allocate(mostLanes);
const digests: usize = allocate(4 * hashBytes);
const ownHash: usize = allocate(hashBytes);
const readyHashes: usize = allocate(<usize>mostCells * hashBytes);
const readyTags: usize = allocate(mostCells);

/** Lanes of rows that were taken, and with them those of the row under way. */
let taken: u32 = 0;
let used: u32 = 0;
let ready: u32 = 0;

/** Forgets what the row under way brought. */
export function beginRow(): void {
  used = taken;
  ready = 0;
}

/** The next lane, empty or not. */
// @ts-ignore: decorator
@inline
export function nextLane(): usize {
  return lanes + <usize>used * laneBytes;
}

/** Closes the next lane, which holds a message of `length` bytes and nothing behind it. */
// @ts-ignore: decorator
@inline
export function pushLane(length: u32, tag: u8): void {
  const lane = nextLane();
  store<u8>(lane + length, 0x80);
  store<u16>(lane, bswap<u16>(<u16>(length << 3)), 62);
  store<u8>(laneTags + used, tag);
  used += 1;
}

/** Room for a hash that the row brought as one. */
export function nextReady(): usize {
  return readyHashes + <usize>ready * hashBytes;
}

export function pushReady(tag: u8): void {
  store<u8>(readyTags + ready, tag);
  ready += 1;
}

/** The row is good: what it brought is hashed, as soon as there are four. */
export function takeRow(): void {
  for (let index: usize = 0; index < <usize>ready; index += 1) {
    putHash(readyHashes + index * hashBytes, load<u8>(readyTags + index));
  }
  ready = 0;
  taken = used;
  let done: u32 = 0;
  while (taken - done >= 4) {
    hashLanes(done, 4);
    done += 4;
  }
  if (done == 0 || done == taken) {
    if (done == taken) taken = 0;
    return;
  }
  memory.copy(lanes, lanes + <usize>done * laneBytes, <usize>(taken - done) * laneBytes);
  memory.copy(laneTags, laneTags + done, taken - done);
  taken -= done;
}

/** Hashes those that still wait for others. */
export function finishLanes(): void {
  if (taken > 0) hashLanes(0, taken);
  taken = 0;
}

function hashLanes(from: u32, count: u32): void {
  hashFour(lanes + <usize>from * laneBytes, digests);
  for (let index: usize = 0; index < <usize>count; index += 1) {
    const digest = digests + index * hashBytes;
    const tag = load<u8>(laneTags + <usize>from + index);
    if (isSpelling(tag)) {
      putSpelling(digest, tag, ownHash);
      continue;
    }
    putHash(digest, tag);
    // Its spelling is the next lane, perhaps in the next four.
    if (isSpelled(tag)) memory.copy(ownHash, digest, hashBytes);
  }
}
