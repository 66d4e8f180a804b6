const maxLineLength = 300;

/**
 * Returns a text as one line without control characters, lone surrogates and directional marks, at most 300 characters.
 * Pure.
 */
export function toSingleLine(text: string): string {
  const cleaned = text
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]+/gu, " ");
  return [...cleaned].slice(0, maxLineLength).join("").trim();
}

/** Truncates a text until it fits; truncated text ends with an ellipsis. Pure. */
export function fitText(text: string, fits: (part: string) => boolean): string {
  const whole = toSingleLine(text);
  if (fits(whole)) return whole;
  const letters = [...whole];
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(`${letters.slice(0, middle).join("")}…`)) least = middle;
    else most = middle - 1;
  }
  return `${letters.slice(0, least).join("")}…`;
}
