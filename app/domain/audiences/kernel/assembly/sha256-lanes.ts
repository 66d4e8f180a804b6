// The operations of SHA-256 (FIPS 180-4, section 4.1.2) on the four lanes of a vector.

// @ts-ignore: decorator
@inline
export function add(a: v128, b: v128): v128 {
  return i32x4.add(a, b);
}

// @ts-ignore: decorator
@inline
export function rotated(x: v128, by: i32): v128 {
  return v128.or(i32x4.shr_u(x, by), i32x4.shl(x, 32 - by));
}

/** The first of a round's two sums; `rest` is the part that does not depend on e, f and g. */
// @ts-ignore: decorator
@inline
export function first(e: v128, f: v128, g: v128, rest: v128): v128 {
  const sigma = v128.xor(v128.xor(rotated(e, 6), rotated(e, 11)), rotated(e, 25));
  return add(add(rest, v128.xor(g, v128.and(e, v128.xor(f, g)))), sigma);
}

// @ts-ignore: decorator
@inline
export function second(a: v128, b: v128, c: v128): v128 {
  const sigma = v128.xor(v128.xor(rotated(a, 2), rotated(a, 13)), rotated(a, 22));
  return add(sigma, v128.xor(b, v128.and(v128.xor(a, b), v128.xor(b, c))));
}

/** Returns the next word of the message schedule from the words 16, 15, 7 and 2 positions before it. */
// @ts-ignore: decorator
@inline
export function expand(w16: v128, w15: v128, w7: v128, w2: v128): v128 {
  const one = v128.xor(v128.xor(rotated(w15, 7), rotated(w15, 18)), i32x4.shr_u(w15, 3));
  const two = v128.xor(v128.xor(rotated(w2, 17), rotated(w2, 19)), i32x4.shr_u(w2, 10));
  return add(add(w16, one), add(w7, two));
}

// @ts-ignore: decorator
@inline
export function swap(words: v128): v128 {
  return v128.shuffle<i8>(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

// @ts-ignore: decorator
@inline
export function words(lanes: usize, offset: usize): v128 {
  return swap(v128.load(lanes + offset));
}
