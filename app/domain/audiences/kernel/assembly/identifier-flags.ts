// Mirrors members/identifier-flags.ts and rule-sets.ts, which document these values; a test compares them.

export const kindEmail: u32 = 0;
export const kindSecondaryEmail: u32 = 1;
export const kindPhone: u32 = 2;
export const kindSecondaryPhone: u32 = 3;
export const kindHash: u32 = 4;
export const kindSecondaryHash: u32 = 5;
export const kindHashPhone: u32 = 6;
export const kindVariant: u32 = 7;

export const google: u32 = 1;
export const uid2: u32 = 2;
export const tiktok: u32 = 4;
export const meta: u32 = 8;
export const allProfiles: u32 = 15;

// @ts-ignore: decorator
@inline
export function packFlags(kind: u32, families: u32, spelled: bool): u8 {
  return <u8>(kind | (families << 3) | (spelled ? 128 : 0));
}

// @ts-ignore: decorator
@inline
export function isVariant(tag: u8): bool {
  return (tag & 7) == kindVariant;
}

// @ts-ignore: decorator
@inline
export function hasVariants(tag: u8): bool {
  return tag >= 128;
}

const rawBits: u32 = 15;
const ownsPhone: u32 = (1 << kindSecondaryPhone) | (1 << kindHash) | (1 << kindSecondaryHash);

/** Merges the flags of a hash that was derived from several identifiers. */
export function mergeFlags(a: u8, b: u8): u8 {
  const bits: u32 = (1 << (<u32>a & 7)) | (1 << (<u32>b & 7));
  const rest: u32 = <u32>(a | b) & 0xf8;
  if (bits & rawBits) {
    if (bits & (1 << kindEmail)) return <u8>(rest | kindEmail);
    if (bits & (1 << kindSecondaryEmail)) return <u8>(rest | kindSecondaryEmail);
    return <u8>(rest | (bits & ownsPhone ? kindSecondaryPhone : kindPhone));
  }
  if (bits & (1 << kindVariant)) return <u8>(rest | kindVariant);
  if (bits & (1 << kindHash)) return <u8>(rest | kindHash);
  return <u8>(rest | (bits & (1 << kindSecondaryHash) ? kindSecondaryHash : kindHashPhone));
}
