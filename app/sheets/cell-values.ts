const point = 46;
const minus = 45;
const zero = 48;

/**
 * A number as a spreadsheet program would show it: the file may say `1.5551234567E10` for a phone number and
 * `19.989999999999998` for a price, since Excel's numbers have 15 digits. Whole numbers and short ones stand as they are.
 */
export function readableNumber(text: string): string {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)) return text;
  if (standsAsItIs(Buffer.from(text, "latin1"), 0, text.length)) return text;
  const value = Number(Number(text).toPrecision(15));
  return Number.isFinite(value) ? String(value) : text;
}

/** Whether `readableNumber` leaves these bytes as they are, which costs a hundredth of asking it. */
export function standsAsItIs(bytes: Uint8Array, from: number, to: number): boolean {
  let points = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === point) points += 1;
    else if (!(byte >= zero && byte <= zero + 9) && !(byte === minus && at === from)) return false;
  }
  // 1.50 and 3.0 end in what nobody reads; whole numbers end in noughts that count.
  return points === 0 || (points === 1 && to - from <= 15 && bytes[to - 1] !== zero);
}

export function readableBoolean(text: string): string {
  if (text === "1") return "TRUE";
  return text === "0" ? "FALSE" : text;
}
