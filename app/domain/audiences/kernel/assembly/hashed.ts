// members/read-hash.ts for 64 hexadecimal digits. All else that looks like a hash is read there.

import { allocate } from "./memory";
import { nextReady, pushReady } from "./lanes";
import { allFamilies, tagOf } from "./tag";

/** What each character is worth; 255 for those that are no digits. */
const worth: usize = allocate(256);
memory.fill(worth, 255, 256);
for (let digit: u8 = 0; digit < 16; digit += 1) {
  if (digit < 10) store<u8>(worth + 48 + digit, digit);
  else {
    store<u8>(worth + 55 + digit, digit);
    store<u8>(worth + 87 + digit, digit);
  }
}

/** Takes the hash of the row as it is. False when it is none to take. */
export function pushHash(from: usize, kind: u32): bool {
  const to = nextReady();
  let bad: u32 = 0;
  for (let index: usize = 0; index < 32; index += 1) {
    const high = load<u8>(worth + load<u8>(from + 2 * index));
    const low = load<u8>(worth + load<u8>(from + 2 * index, 1));
    bad |= high | low;
    store<u8>(to + index, (high << 4) | low);
  }
  // The hash of nothing begins with e3b0c442: whatever begins so is looked at closer elsewhere.
  if (bad > 15 || load<u32>(to) == 0x42c4b0e3) return false;
  pushReady(tagOf(kind, allFamilies, false));
  return true;
}
