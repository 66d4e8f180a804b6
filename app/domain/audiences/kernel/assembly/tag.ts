// members/tag.ts and rule-sets.ts say what these are; a test compares the two.

export const kindEmail: u32 = 0;
export const kindEmailFurther: u32 = 1;
export const kindPhone: u32 = 2;
export const kindPhoneFurther: u32 = 3;
export const kindHash: u32 = 4;
export const kindHashFurther: u32 = 5;
export const kindHashPhone: u32 = 6;
export const kindSpelling: u32 = 7;

export const google: u32 = 1;
export const uid2: u32 = 2;
export const tiktok: u32 = 4;
export const meta: u32 = 8;
export const allFamilies: u32 = 15;

// @ts-ignore: decorator
@inline
export function tagOf(kind: u32, families: u32, spelled: bool): u8 {
  return <u8>(kind | (families << 3) | (spelled ? 128 : 0));
}

// @ts-ignore: decorator
@inline
export function isSpelling(tag: u8): bool {
  return (tag & 7) == kindSpelling;
}

// @ts-ignore: decorator
@inline
export function isSpelled(tag: u8): bool {
  return tag >= 128;
}

const rawBits: u32 = 15;
const ownsPhone: u32 = (1 << kindPhoneFurther) | (1 << kindHash) | (1 << kindHashFurther);

/** What one hash is that came as several things. */
export function resolveTags(a: u8, b: u8): u8 {
  const bits: u32 = (1 << (<u32>a & 7)) | (1 << (<u32>b & 7));
  const rest: u32 = <u32>(a | b) & 0xf8;
  if (bits & rawBits) {
    if (bits & (1 << kindEmail)) return <u8>(rest | kindEmail);
    if (bits & (1 << kindEmailFurther)) return <u8>(rest | kindEmailFurther);
    return <u8>(rest | (bits & ownsPhone ? kindPhoneFurther : kindPhone));
  }
  if (bits & (1 << kindSpelling)) return <u8>(rest | kindSpelling);
  if (bits & (1 << kindHash)) return <u8>(rest | kindHash);
  return <u8>(rest | (bits & (1 << kindHashFurther) ? kindHashFurther : kindHashPhone));
}
