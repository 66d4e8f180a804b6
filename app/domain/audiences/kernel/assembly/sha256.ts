// SHA-256 (FIPS 180-4) of four one-block messages in parallel, one in each lane of a vector.

import { allocate } from "./memory";
import { add, expand, first, second, swap, words } from "./sha256-lanes";

const roundConstants: StaticArray<u32> = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
const start: StaticArray<u32> = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** Each round constant, repeated for the four lanes. */
const constants: usize = allocate(64 * 16);
for (let index = 0; index < 64; index += 1) {
  v128.store(constants + (<usize>index << 4), i32x4.splat(roundConstants[index]));
}

/** `lanes`: four padded blocks of 64 bytes. `digests`: room for four hashes. */
export function hashFour(lanes: usize, digests: usize): void {
  let l0: v128, l1: v128, l2: v128, l3: v128;
  let p0: v128, p1: v128, p2: v128, p3: v128;
  l0 = words(lanes, 0);
  l1 = words(lanes, 64);
  l2 = words(lanes, 128);
  l3 = words(lanes, 192);
  p0 = v128.shuffle<i32>(l0, l1, 0, 4, 1, 5);
  p1 = v128.shuffle<i32>(l2, l3, 0, 4, 1, 5);
  p2 = v128.shuffle<i32>(l0, l1, 2, 6, 3, 7);
  p3 = v128.shuffle<i32>(l2, l3, 2, 6, 3, 7);
  let w0 = v128.shuffle<i64>(p0, p1, 0, 2);
  let w1 = v128.shuffle<i64>(p0, p1, 1, 3);
  let w2 = v128.shuffle<i64>(p2, p3, 0, 2);
  let w3 = v128.shuffle<i64>(p2, p3, 1, 3);
  l0 = words(lanes, 16);
  l1 = words(lanes, 80);
  l2 = words(lanes, 144);
  l3 = words(lanes, 208);
  p0 = v128.shuffle<i32>(l0, l1, 0, 4, 1, 5);
  p1 = v128.shuffle<i32>(l2, l3, 0, 4, 1, 5);
  p2 = v128.shuffle<i32>(l0, l1, 2, 6, 3, 7);
  p3 = v128.shuffle<i32>(l2, l3, 2, 6, 3, 7);
  let w4 = v128.shuffle<i64>(p0, p1, 0, 2);
  let w5 = v128.shuffle<i64>(p0, p1, 1, 3);
  let w6 = v128.shuffle<i64>(p2, p3, 0, 2);
  let w7 = v128.shuffle<i64>(p2, p3, 1, 3);
  l0 = words(lanes, 32);
  l1 = words(lanes, 96);
  l2 = words(lanes, 160);
  l3 = words(lanes, 224);
  p0 = v128.shuffle<i32>(l0, l1, 0, 4, 1, 5);
  p1 = v128.shuffle<i32>(l2, l3, 0, 4, 1, 5);
  p2 = v128.shuffle<i32>(l0, l1, 2, 6, 3, 7);
  p3 = v128.shuffle<i32>(l2, l3, 2, 6, 3, 7);
  let w8 = v128.shuffle<i64>(p0, p1, 0, 2);
  let w9 = v128.shuffle<i64>(p0, p1, 1, 3);
  let w10 = v128.shuffle<i64>(p2, p3, 0, 2);
  let w11 = v128.shuffle<i64>(p2, p3, 1, 3);
  l0 = words(lanes, 48);
  l1 = words(lanes, 112);
  l2 = words(lanes, 176);
  l3 = words(lanes, 240);
  p0 = v128.shuffle<i32>(l0, l1, 0, 4, 1, 5);
  p1 = v128.shuffle<i32>(l2, l3, 0, 4, 1, 5);
  p2 = v128.shuffle<i32>(l0, l1, 2, 6, 3, 7);
  p3 = v128.shuffle<i32>(l2, l3, 2, 6, 3, 7);
  let w12 = v128.shuffle<i64>(p0, p1, 0, 2);
  let w13 = v128.shuffle<i64>(p0, p1, 1, 3);
  let w14 = v128.shuffle<i64>(p2, p3, 0, 2);
  let w15 = v128.shuffle<i64>(p2, p3, 1, 3);

  let a = i32x4.splat(start[0]);
  let b = i32x4.splat(start[1]);
  let c = i32x4.splat(start[2]);
  let d = i32x4.splat(start[3]);
  let e = i32x4.splat(start[4]);
  let f = i32x4.splat(start[5]);
  let g = i32x4.splat(start[6]);
  let h = i32x4.splat(start[7]);

  h = first(e, f, g, add(h, add(v128.load(constants, 0), w0)));
  d = add(d, h);
  h = add(h, second(a, b, c));
  g = first(d, e, f, add(g, add(v128.load(constants, 16), w1)));
  c = add(c, g);
  g = add(g, second(h, a, b));
  f = first(c, d, e, add(f, add(v128.load(constants, 32), w2)));
  b = add(b, f);
  f = add(f, second(g, h, a));
  e = first(b, c, d, add(e, add(v128.load(constants, 48), w3)));
  a = add(a, e);
  e = add(e, second(f, g, h));
  d = first(a, b, c, add(d, add(v128.load(constants, 64), w4)));
  h = add(h, d);
  d = add(d, second(e, f, g));
  c = first(h, a, b, add(c, add(v128.load(constants, 80), w5)));
  g = add(g, c);
  c = add(c, second(d, e, f));
  b = first(g, h, a, add(b, add(v128.load(constants, 96), w6)));
  f = add(f, b);
  b = add(b, second(c, d, e));
  a = first(f, g, h, add(a, add(v128.load(constants, 112), w7)));
  e = add(e, a);
  a = add(a, second(b, c, d));
  h = first(e, f, g, add(h, add(v128.load(constants, 128), w8)));
  d = add(d, h);
  h = add(h, second(a, b, c));
  g = first(d, e, f, add(g, add(v128.load(constants, 144), w9)));
  c = add(c, g);
  g = add(g, second(h, a, b));
  f = first(c, d, e, add(f, add(v128.load(constants, 160), w10)));
  b = add(b, f);
  f = add(f, second(g, h, a));
  e = first(b, c, d, add(e, add(v128.load(constants, 176), w11)));
  a = add(a, e);
  e = add(e, second(f, g, h));
  d = first(a, b, c, add(d, add(v128.load(constants, 192), w12)));
  h = add(h, d);
  d = add(d, second(e, f, g));
  c = first(h, a, b, add(c, add(v128.load(constants, 208), w13)));
  g = add(g, c);
  c = add(c, second(d, e, f));
  b = first(g, h, a, add(b, add(v128.load(constants, 224), w14)));
  f = add(f, b);
  b = add(b, second(c, d, e));
  a = first(f, g, h, add(a, add(v128.load(constants, 240), w15)));
  e = add(e, a);
  a = add(a, second(b, c, d));

  for (let constant = constants + 256; constant < constants + 1024; constant += 256) {
    w0 = expand(w0, w1, w9, w14);
    h = first(e, f, g, add(h, add(v128.load(constant, 0), w0)));
    d = add(d, h);
    h = add(h, second(a, b, c));
    w1 = expand(w1, w2, w10, w15);
    g = first(d, e, f, add(g, add(v128.load(constant, 16), w1)));
    c = add(c, g);
    g = add(g, second(h, a, b));
    w2 = expand(w2, w3, w11, w0);
    f = first(c, d, e, add(f, add(v128.load(constant, 32), w2)));
    b = add(b, f);
    f = add(f, second(g, h, a));
    w3 = expand(w3, w4, w12, w1);
    e = first(b, c, d, add(e, add(v128.load(constant, 48), w3)));
    a = add(a, e);
    e = add(e, second(f, g, h));
    w4 = expand(w4, w5, w13, w2);
    d = first(a, b, c, add(d, add(v128.load(constant, 64), w4)));
    h = add(h, d);
    d = add(d, second(e, f, g));
    w5 = expand(w5, w6, w14, w3);
    c = first(h, a, b, add(c, add(v128.load(constant, 80), w5)));
    g = add(g, c);
    c = add(c, second(d, e, f));
    w6 = expand(w6, w7, w15, w4);
    b = first(g, h, a, add(b, add(v128.load(constant, 96), w6)));
    f = add(f, b);
    b = add(b, second(c, d, e));
    w7 = expand(w7, w8, w0, w5);
    a = first(f, g, h, add(a, add(v128.load(constant, 112), w7)));
    e = add(e, a);
    a = add(a, second(b, c, d));
    w8 = expand(w8, w9, w1, w6);
    h = first(e, f, g, add(h, add(v128.load(constant, 128), w8)));
    d = add(d, h);
    h = add(h, second(a, b, c));
    w9 = expand(w9, w10, w2, w7);
    g = first(d, e, f, add(g, add(v128.load(constant, 144), w9)));
    c = add(c, g);
    g = add(g, second(h, a, b));
    w10 = expand(w10, w11, w3, w8);
    f = first(c, d, e, add(f, add(v128.load(constant, 160), w10)));
    b = add(b, f);
    f = add(f, second(g, h, a));
    w11 = expand(w11, w12, w4, w9);
    e = first(b, c, d, add(e, add(v128.load(constant, 176), w11)));
    a = add(a, e);
    e = add(e, second(f, g, h));
    w12 = expand(w12, w13, w5, w10);
    d = first(a, b, c, add(d, add(v128.load(constant, 192), w12)));
    h = add(h, d);
    d = add(d, second(e, f, g));
    w13 = expand(w13, w14, w6, w11);
    c = first(h, a, b, add(c, add(v128.load(constant, 208), w13)));
    g = add(g, c);
    c = add(c, second(d, e, f));
    w14 = expand(w14, w15, w7, w12);
    b = first(g, h, a, add(b, add(v128.load(constant, 224), w14)));
    f = add(f, b);
    b = add(b, second(c, d, e));
    w15 = expand(w15, w0, w8, w13);
    a = first(f, g, h, add(a, add(v128.load(constant, 240), w15)));
    e = add(e, a);
    a = add(a, second(b, c, d));
  }

  a = add(a, i32x4.splat(start[0]));
  b = add(b, i32x4.splat(start[1]));
  c = add(c, i32x4.splat(start[2]));
  d = add(d, i32x4.splat(start[3]));
  e = add(e, i32x4.splat(start[4]));
  f = add(f, i32x4.splat(start[5]));
  g = add(g, i32x4.splat(start[6]));
  h = add(h, i32x4.splat(start[7]));
  p0 = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  p1 = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  p2 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  p3 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(digests, swap(v128.shuffle<i64>(p0, p1, 0, 2)), 0);
  v128.store(digests, swap(v128.shuffle<i64>(p0, p1, 1, 3)), 32);
  v128.store(digests, swap(v128.shuffle<i64>(p2, p3, 0, 2)), 64);
  v128.store(digests, swap(v128.shuffle<i64>(p2, p3, 1, 3)), 96);
  p0 = v128.shuffle<i32>(e, f, 0, 4, 1, 5);
  p1 = v128.shuffle<i32>(g, h, 0, 4, 1, 5);
  p2 = v128.shuffle<i32>(e, f, 2, 6, 3, 7);
  p3 = v128.shuffle<i32>(g, h, 2, 6, 3, 7);
  v128.store(digests, swap(v128.shuffle<i64>(p0, p1, 0, 2)), 16);
  v128.store(digests, swap(v128.shuffle<i64>(p0, p1, 1, 3)), 48);
  v128.store(digests, swap(v128.shuffle<i64>(p2, p3, 0, 2)), 80);
  v128.store(digests, swap(v128.shuffle<i64>(p2, p3, 1, 3)), 112);
}
