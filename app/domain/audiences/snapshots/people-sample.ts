/** Lists of people in snapshots: the first eight bytes of each person's hash, ascending. Pure. */

/** The number of bytes stored of a hash: two people of an audience share them in one of a million million snapshots. */
export const personBytes = 8;

/** The approximate maximum number of people in a snapshot. A larger audience's snapshot has at least half as many. */
export const maxPeople = 32_768;

/**
 * Limits how many people of an audience of this size are read: only the lowest hashes count if an uploader made hashes
 * up.
 */
export function maxAtLevel(size: number, level: number): number {
  return 2 * Math.ceil(size / 2 ** level) + 256;
}

/**
 * Returns the smallest level at which a list of so many people has at most `max` entries: level n selects one of 2^n
 * hashes.
 */
export function requiredLevel(people: number, max: number): number {
  return Math.max(0, Math.ceil(Math.log2(people / max)));
}

/**
 * Returns the listed people in the lowest 2^-level of all hashes as 52-bit numbers, which a double represents exactly.
 */
export function peopleAtLevel(list: Buffer, level: number, size: number): Float64Array {
  const limit = 2 ** (32 - level);
  let count = 0;
  for (let high = Math.min(list.length / personBytes, maxAtLevel(size, level)); count < high; ) {
    const middle = (count + high) >> 1;
    if (list.readUInt32BE(middle * personBytes) < limit) count = middle + 1;
    else high = middle;
  }
  const people = new Float64Array(count);
  for (let index = 0; index < count; index += 1) people[index] = personAt(list, index);
  return people;
}

function personAt(list: Buffer, index: number): number {
  const at = index * personBytes;
  return list.readUInt32BE(at) * 2 ** 20 + (list.readUInt32BE(at + 4) >>> 12);
}

/** Returns the union of two ascending lists and the number of people in both. */
export function unite(some: Float64Array, others: Float64Array): { all: Float64Array; shared: number } {
  const all = new Float64Array(some.length + others.length);
  let [one, other, length] = [0, 0, 0];
  while (one < some.length || other < others.length) {
    const [a, b] = [some[one] ?? Number.POSITIVE_INFINITY, others[other] ?? Number.POSITIVE_INFINITY];
    all[length] = Math.min(a, b);
    length += 1;
    if (a <= b) one += 1;
    if (b <= a) other += 1;
  }
  return { all: all.subarray(0, length), shared: some.length + others.length - length };
}

/** Returns the people of a list who are also in the other list. */
export function intersectPeople(list: Buffer, others: Buffer): Buffer {
  const sample: Buffer[] = [];
  for (let at = 0, other = 0; at < list.length; at += personBytes) {
    const person = list.subarray(at, at + personBytes);
    while (other < others.length && others.compare(person, 0, personBytes, other, other + personBytes) < 0) {
      other += personBytes;
    }
    if (other < others.length && others.compare(person, 0, personBytes, other, other + personBytes) === 0) {
      sample.push(person);
    }
  }
  return Buffer.concat(sample);
}
