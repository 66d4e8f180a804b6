// The fast path of members/normalize-email.ts for addresses of at most 55 ASCII characters. All other addresses are
// left to that module.

import { allocate } from "./memory";
import { laneBytes, maxMessageBytes, nextLane, pushLane } from "./lanes";
import { allProfiles, google, kindVariant, packFlags, uid2 } from "./identifier-flags";

/** 64 bytes of ones followed by 64 bytes of zeros: read from offset 64 - n, they are a mask of n bytes. */
const masks: usize = allocate(128);
memory.fill(masks, 0xff, 64);

// The signs that members/normalize-email.ts rejects in a local part, and what it accepts in a domain, as tables by the
// low and the high half of a byte: a byte is in the set when both have a bit in common.
const reservedLow: v128 = i8x16(0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 2, 6, 7, 4, 2, 0);
const reservedHigh: v128 = i8x16(0, 0, 1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
const domainLow: v128 = i8x16(26, 30, 30, 30, 30, 30, 30, 30, 30, 30, 28, 4, 4, 5, 5, 12);
const domainHigh: v128 = i8x16(0, 0, 1, 2, 4, 8, 4, 16, 0, 0, 0, 0, 0, 0, 0, 0);

let ats: u64 = 0;
let dots: u64 = 0;
let pluses: u64 = 0;
let bads: u64 = 0;
let noDomains: u64 = 0;

/** Copies sixteen bytes, in lower case and masked, into the lane and records where their special characters are. */
// @ts-ignore: decorator
@inline
function copyPart(from: usize, lane: usize, mask: usize, at: usize): void {
  const raw = v128.load(from + at);
  const capital = i8x16.lt_u(i8x16.sub(raw, i8x16.splat(65)), i8x16.splat(26));
  v128.store(lane + at, v128.and(v128.or(raw, v128.and(capital, i8x16.splat(32))), v128.load(mask + at)));
  ats |= marks(i8x16.eq(raw, i8x16.splat(64)), at);
  dots |= marks(i8x16.eq(raw, i8x16.splat(46)), at);
  pluses |= marks(i8x16.eq(raw, i8x16.splat(43)), at);
  const low = v128.and(raw, i8x16.splat(15));
  const high = i8x16.shr_u(raw, 4);
  const reserved = v128.and(i8x16.swizzle(reservedLow, low), i8x16.swizzle(reservedHigh, high));
  const isReserved = i8x16.ne(reserved, i8x16.splat(0));
  // Below `!` and, because bytes are compared as signed, everything that is not ASCII.
  const isOther = v128.or(i8x16.lt_s(raw, i8x16.splat(33)), i8x16.eq(raw, i8x16.splat(127)));
  bads |= marks(v128.or(isOther, isReserved), at);
  const domain = v128.and(i8x16.swizzle(domainLow, low), i8x16.swizzle(domainHigh, high));
  noDomains |= marks(i8x16.eq(domain, i8x16.splat(0)), at);
}

// @ts-ignore: decorator
@inline
function marks(bytes: v128, at: usize): u64 {
  return (<u64>i8x16.bitmask(bytes)) << at;
}

/**
 * Writes the address's message into a lane, or into two lanes when destinations normalize it differently. Returns false
 * when the address is not handled here.
 */
export function pushEmail(from: usize, length: u32, kind: u32): bool {
  if (length > maxMessageBytes) return false;
  const lane = nextLane();
  const mask = masks + 64 - length;
  ats = 0;
  dots = 0;
  pluses = 0;
  bads = 0;
  noDomains = 0;
  copyPart(from, lane, mask, 0);
  copyPart(from, lane, mask, 16);
  if (length < 32) {
    v128.store(lane, i64x2.splat(0), 32);
    v128.store(lane, i64x2.splat(0), 48);
  } else {
    copyPart(from, lane, mask, 32);
    copyPart(from, lane, mask, 48);
  }
  const own: u64 = ((<u64>1) << length) - 1;
  if ((bads & own) != 0) return false;
  ats &= own;
  if (popcnt<u64>(ats) != 1) return false;
  const at = <u32>ctz<u64>(ats);
  if (at == 0 || length < at + 4) return false;
  const inDomain = own & ~(((<u64>2) << at) - 1);
  if ((noDomains & inDomain) != 0) return false;
  // Requires a dot in the domain, and something before and after each.
  const domainDots = dots & inDomain;
  const edges = ((<u64>2) << at) | ((<u64>1) << (length - 1));
  if (domainDots == 0 || (domainDots & (edges | (domainDots << 1))) != 0) return false;
  const same = sameAsGoogle(lane + at + 1, length - at - 1);
  if (same != 0 && ((dots | pluses) & (((<u64>1) << at) - 1)) != 0) return pushGmail(lane, length, at, kind, same);
  pushLane(length, packFlags(kind, allProfiles, false));
  return true;
}

/** Returns the normalization profiles that treat this domain as Google does; 0 when the domain is not Google's. */
// @ts-ignore: decorator
@inline
function sameAsGoogle(domain: usize, length: u32): u32 {
  // "gmail.co" and "googlema", "mail.com".
  if (length == 9) return load<u64>(domain) == 0x6f632e6c69616d67 && load<u8>(domain, 8) == 109 ? google | uid2 : 0;
  if (length != 14) return 0;
  return load<u64>(domain) == 0x616d656c676f6f67 && load<u64>(domain, 6) == 0x6d6f632e6c69616d ? google : 0;
}

/** Writes Google's normalized form, without dots and the part after a plus, followed by the address as it is. */
function pushGmail(lane: usize, length: u32, at: u32, kind: u32, same: u32): bool {
  const other = lane + laneBytes;
  memory.copy(other, lane, laneBytes);
  let to = lane;
  for (let from = other; from < other + at; from += 1) {
    const byte = load<u8>(from);
    if (byte == 43) break;
    if (byte == 46) continue;
    store<u8>(to, byte);
    to += 1;
  }
  if (to == lane) return false;
  const domain = length - at;
  memory.copy(to, other + at, domain);
  const shorter = <u32>(to - lane) + domain;
  memory.fill(lane + shorter, 0, laneBytes - shorter);
  pushLane(shorter, packFlags(kind, same, true));
  pushLane(length, packFlags(kindVariant, allProfiles & ~same, false));
  return true;
}
