import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };
const maxCharacter = 0x10ffff - surrogates.count;

/**
 * Any character of Unicode, as the unit of `fc.string`. It generates what fast-check's unit "binary" does, which lists
 * all 1,112,064 characters in a map on first use: a second of processor time and 100 MB of each process.
 */
export const anyCharacter = fc.nat({ max: maxCharacter }).map(toCharacter, toNumber);

function toCharacter(number: number): string {
  return String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count);
}

/** Rejects what is not one character, so that fast-check finds those of a text. */
function toNumber(character: unknown): number {
  const code = typeof character === "string" ? (character.codePointAt(0) ?? -1) : -1;
  const number = code < surrogates.first ? code : code - surrogates.count;
  if (number < 0 || number > maxCharacter || toCharacter(number) !== character) throw new Error("not one character");
  return number;
}
