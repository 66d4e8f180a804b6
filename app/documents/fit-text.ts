const longest = 300;

/** A text on one line: no control characters, no lone halves of pairs, no marks that turn its direction, at most 300 characters. Pure. */
export function plainLine(text: string): string {
  const cleaned = text
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]+/gu, " ");
  return [...cleaned].slice(0, longest).join("").trim();
}

/** As much of a text as fits, with an ellipsis where it was cut. Pure. */
export function fitText(text: string, fits: (part: string) => boolean): string {
  const whole = plainLine(text);
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
