// The fast path of members/parse-hash.ts for 64 hexadecimal digits. Everything else that looks like a hash is left to
// that module.

import { allocate } from "./memory";
import { nextReadyHash, pushReadyHash } from "./lanes";
import { allProfiles, packFlags } from "./identifier-flags";

/** The value of each hexadecimal digit; 255 for all other characters. */
const worth: usize = allocate(256);
memory.fill(worth, 255, 256);
for (let digit: u8 = 0; digit < 16; digit += 1) {
  if (digit < 10) store<u8>(worth + 48 + digit, digit);
  else {
    store<u8>(worth + 55 + digit, digit);
    store<u8>(worth + 87 + digit, digit);
  }
}

/** Stores the row's hash as it is. Returns false when it is not handled here. */
export function pushHash(from: usize, kind: u32): bool {
  const to = nextReadyHash();
  let bad: u32 = 0;
  for (let index: usize = 0; index < 32; index += 1) {
    const high = load<u8>(worth + load<u8>(from + 2 * index));
    const low = load<u8>(worth + load<u8>(from + 2 * index, 1));
    bad |= high | low;
    store<u8>(to + index, (high << 4) | low);
  }
  // The SHA-256 hash of the empty string starts with e3b0c442: hashes with this prefix are left to TypeScript.
  if (bad > 15 || load<u32>(to) == 0x42c4b0e3) return false;
  pushReadyHash(packFlags(kind, allProfiles, false));
  return true;
}
