import { decodeText } from "./codec.ts";
import type { TextEncoding } from "./encodings.ts";
import { candidateEncodings, type Profile } from "./language-profiles.ts";

/** Logarithms of how likely it is to meet a character that is not in the profile of the language. */
const likelihood = {
  punctuation: -6,
  letter: -9,
  sign: -11,
  otherScript: -12,
  privateUse: -15,
  unreadable: -25,
  /**
   * Added for a sign within a word, a capital within a word, or a letter beside a digit or a letter of another script.
   */
  odd: -5,
  /**
   * Added for all candidates but the first, and for each place in their list, so that equal readings are decided by it.
   */
  notFirst: -1,
  place: -0.3,
} as const;

const punctuation = new Set("’‘‚“”„–—…•·™®©°€£¥§«»‹›¿¡ºª²³½¼¾×±µ´¨\u00a0¬№、。・（）「」：，！？～");
const isLatin = /\p{Script=Latin}/u;
const isLetter = /\p{L}/u;
const isCapital = /\p{Lu}/u;
const isSmall = /\p{Ll}/u;
const isDigit = /\d/;
const isPrivate = /\p{Co}/u;
const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The first half of a character set of one byte has no letters of its own; control characters are not text. */
const isControl = /[\u0080-\u009f\ufffd]/;

/**
 * Guesses the encoding of text that is not UTF-8: the one in which its characters are most likely, by the frequency of
 * the letters of the languages written in it (decision 79). `sample` has whole lines.
 */
export function guessEncoding(sample: Buffer): TextEncoding {
  let best: { encoding: TextEncoding; score: number } | undefined;
  for (const [place, { encoding, profiles }] of candidateEncodings().entries()) {
    const score = scoreText(decodeText(sample, encoding), profiles) + priorOf(place);
    if (!best || score > best.score) best = { encoding, score };
  }
  return best?.encoding ?? "windows-1252";
}

function priorOf(place: number): number {
  return place === 0 ? 0 : likelihood.notFirst + place * likelihood.place;
}

/** Returns the logarithm of how likely the characters beyond ASCII are in the likeliest of the languages. */
function scoreText(text: string, profiles: readonly Profile[]): number {
  const sums = profiles.map(() => 0);
  let shared = 0;
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const before = characters[index - 1] ?? " ";
    if (character < "\u0080") {
      // A capital after a small letter beyond ASCII.
      if (before >= "\u0080" && isSmall.test(before) && isCapital.test(character)) shared += likelihood.odd;
      continue;
    }
    const kind = kindOf(character);
    if (isOdd({ before, character, after: characters[index + 1] ?? " " })) shared += likelihood.odd;
    for (const [at, profile] of profiles.entries()) {
      sums[at] = (sums[at] ?? 0) + (profile.get(character) ?? likelihoodIn(profile, character, kind));
    }
  }
  return shared + Math.max(...sums);
}

function kindOf(character: string): "punctuation" | "letter" | "sign" | "privateUse" | "unreadable" {
  if (isControl.test(character)) return "unreadable";
  if (punctuation.has(character)) return "punctuation";
  if (isLetter.test(character)) return "letter";
  return isPrivate.test(character) ? "privateUse" : "sign";
}

function likelihoodIn(profile: Profile, character: string, kind: ReturnType<typeof kindOf>): number {
  if (kind !== "letter") return likelihood[kind];
  return scriptOf(character) === scriptOf(firstOf(profile)) ? likelihood.letter : likelihood.otherScript;
}

function firstOf(profile: Profile): string {
  return profile.keys().next().value ?? "";
}

function scriptOf(letter: string): "latin" | "cjk" | "other" {
  if (isLatin.test(letter)) return "latin";
  return isCjk.test(letter) ? "cjk" : "other";
}

/** Returns whether a character beyond ASCII stands where text of any language rarely has it. */
function isOdd({ before, character, after }: { before: string; character: string; after: string }): boolean {
  if (!isLetter.test(character)) {
    return character !== "’" && character !== "·" && isLetter.test(before) && isLetter.test(after);
  }
  const script = scriptOf(character);
  if (script === "cjk") return false;
  if (isDigit.test(before) || isDigit.test(after)) return true;
  if (isCapital.test(character) && isSmall.test(before)) return true;
  return [before, after].some((neighbor) => isLetter.test(neighbor) && scriptOf(neighbor) !== script);
}
