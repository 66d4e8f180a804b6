// The fast path of files/row-reader.ts for columns about consent. What a value means is decided in
// consent/consent-values.ts: the kernel only knows the values that TypeScript has told it about, and leaves all others.

import { allocate } from "./memory";

/** A set of columns is a mask of 32 bits. */
export const maxConsents: u32 = 32;
/** The longest value that is read here, in bytes. */
export const consentValueBytes: u32 = 16;
/** The maximum number of values per column; rows with further ones are left. */
const maxValues: u32 = 16;

/** A value, its length and whether it is an opt-out. */
const entryBytes: usize = 32;
const values: usize = allocate(<usize>maxConsents * maxValues * entryBytes);
const valueCounts: usize = allocate(maxConsents);
/** Sixteen bytes of ones followed by sixteen of zeros: read from offset 16 - n, they are a mask of n bytes. */
const masks: usize = allocate(32);
memory.fill(masks, 0xff, 16);

/** For each column three numbers: rows left out, rows imported without an identifier, and blank cells among both. */
export const optOutCounts: usize = allocate(<usize>maxConsents * 12);

/** The number of columns about consent, and which of them are about whom. */
export let consentCount: u32 = 0;
let personMask: u32 = 0;
let emailMask: u32 = 0;
let phoneMask: u32 = 0;
let blankOutMask: u32 = 0;

/** The columns of the current row that have a value, and those that say no. */
let seen: u32 = 0;
let out: u32 = 0;

/** Sets the columns of the next table and forgets values and counts of the previous one. */
export function setConsents(count: u32, person: u32, email: u32, phone: u32, blankOut: u32): void {
  consentCount = count;
  personMask = person;
  emailMask = email;
  phoneMask = phone;
  blankOutMask = blankOut;
  memory.fill(valueCounts, 0, maxConsents);
  memory.fill(optOutCounts, 0, <usize>maxConsents * 12);
}

/** Adds a value of `length` bytes, followed by zeros. */
export function learnConsent(consent: u32, value: usize, length: u32, isOut: u32): void {
  const count = <u32>load<u8>(valueCounts + consent);
  if (count == maxValues) return;
  const entry = values + <usize>(consent * maxValues + count) * entryBytes;
  v128.store(entry, v128.load(value));
  store<u8>(entry, <u8>length, 16);
  store<u8>(entry, <u8>isOut, 17);
  store<u8>(valueCounts + consent, <u8>(count + 1));
}

// @ts-ignore: decorator
@inline
export function beginConsents(): void {
  seen = 0;
  out = 0;
}

/** Reads a value without spaces around it. Returns false when it is not known. */
export function readConsent(consent: u32, from: usize, length: u32): bool {
  if (length > consentValueBytes) return false;
  const value = v128.and(v128.load(from), v128.load(masks + 16 - length));
  let entry = values + <usize>(consent * maxValues) * entryBytes;
  for (let left = <u32>load<u8>(valueCounts + consent); left > 0; left -= 1) {
    if (load<u8>(entry, 16) == length && i8x16.all_true(i8x16.eq(value, v128.load(entry)))) {
      seen |= 1 << consent;
      if (load<u8>(entry, 17) != 0) out |= 1 << consent;
      return true;
    }
    entry += entryBytes;
  }
  return false;
}

/** Returns whether the row has an opt-out of any kind. */
export function hasOptOut(): bool {
  out |= blankOutMask & ~seen;
  return out != 0;
}

/** Returns the column, counted from 1, that keeps this kind of identifier out; 0 when none does. */
export function optOutOf(isEmail: bool): u32 {
  const person = out & personMask;
  if (person != 0) return ctz(person) + 1;
  const own = out & (isEmail ? emailMask : phoneMask);
  return own == 0 ? 0 : ctz(own) + 1;
}

/** Counts a row by the column, counted from 1, that kept all or some of its identifiers out. */
export function countOptOut(column: u32, isImported: bool): void {
  const counts = optOutCounts + <usize>(column - 1) * 12;
  const at = counts + (isImported ? 4 : 0);
  store<u32>(at, load<u32>(at) + 1);
  if ((seen & (1 << (column - 1))) == 0) store<u32>(counts, load<u32>(counts, 8) + 1, 8);
}
