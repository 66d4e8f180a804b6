// The fast path of members/normalize-phone.ts for North American numbers with their country code. All other numbers
// are left to that module.

import { laneBytes, nextLane, pushLane } from "./lanes";
import { google, kindVariant, meta, packFlags, tiktok, uid2 } from "./identifier-flags";

// @ts-ignore: decorator
@inline
export function isSpace(byte: u8): bool {
  return byte == 32 || <u8>(byte - 9) < 5;
}

let from: usize = 0;
let end: usize = 0;
let to: usize = 0;

/**
 * Writes the number's two messages, with and without `+`, into lanes. Returns false when the number is not handled
 * here.
 */
export function pushPhone(start: usize, length: u32, kind: u32): bool {
  from = start;
  end = start + length;
  if (length < 12 || load<u8>(from) != 43 || load<u8>(from, 1) != 49) return false;
  const lane = nextLane();
  memory.fill(lane, 0, 2 * laneBytes);
  store<u16>(lane, load<u16>(from));
  from += 2;
  to = lane + 2;
  skip(40);
  if (!isFirst() || !digits(3)) return false;
  skip(41);
  if (!isFirst() || !digits(3)) return false;
  skip(0);
  if (!digits(4) || from != end) return false;
  memory.copy(lane + laneBytes, lane + 1, 11);
  pushLane(12, packFlags(kind, google | uid2 | tiktok, true));
  pushLane(11, packFlags(kindVariant, meta, false));
  return true;
}

/** Skips white space, dots, hyphens and one kind of parenthesis. */
function skip(parenthesis: u8): void {
  while (from < end) {
    const byte = load<u8>(from);
    if (!isSpace(byte) && byte != 46 && byte != 45 && (parenthesis == 0 || byte != parenthesis)) return;
    from += 1;
  }
}

/** The first digit of an area or exchange code: 2 to 9. */
function isFirst(): bool {
  return from < end && <u8>(load<u8>(from) - 50) < 8;
}

function digits(count: u32): bool {
  if (from + count > end) return false;
  for (; count > 0; count -= 1) {
    const byte = load<u8>(from);
    if (<u8>(byte - 48) > 9) return false;
    store<u8>(to, byte);
    from += 1;
    to += 1;
  }
  return true;
}
