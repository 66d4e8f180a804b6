/** Signs that mean one currency, and those that several share, which are named as they are. */
const codeBySign: Record<string, string> = {
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "￥": "JPY",
  円: "JPY",
  "₹": "INR",
  "₽": "RUB",
  "руб.": "RUB",
  руб: "RUB",
  "₩": "KRW",
  "₺": "TRY",
  "₫": "VND",
  "฿": "THB",
  "₪": "ILS",
  "₴": "UAH",
  "₱": "PHP",
  zł: "PLN",
  Kč: "CZK",
  Ft: "HUF",
  лв: "BGN",
  lei: "RON",
  "Fr.": "CHF",
  R$: "BRL",
  A$: "AUD",
  AU$: "AUD",
  C$: "CAD",
  CA$: "CAD",
  NZ$: "NZD",
  HK$: "HKD",
  S$: "SGD",
  MX$: "MXN",
  NT$: "TWD",
  CLP$: "CLP",
  COL$: "COP",
  AR$: "ARS",
  US$: "USD",
  kr: "kr",
  "kr.": "kr",
};
const codes = new Set(Intl.supportedValuesOf("currency"));
const commonCodes =
  /^(?:usd|eur|gbp|chf|cad|aud|nzd|jpy|cny|inr|pln|czk|huf|ron|sek|nok|dkk|brl|mxn|clp|cop|ars|rub|uah)$/i;
/** In characters. A longer text is no price, and patterns could take minutes to find that out. */
export const maxPriceLength = 100;
const signs = Object.keys(codeBySign).sort((one, other) => other.length - one.length);

/**
 * Returns the currency that a price names before or after its number: an ISO 4217 code, or the sign when several
 * currencies share it. Undefined when it names none; a lone $ is the account's currency or nothing said.
 */
export function currencyOfPrice(text: string): string | undefined {
  // Most prices are digits alone.
  if (/^[\d.,]*$/.test(text)) return undefined;
  const trimmed = text.replace(/[\u00a0\u202f]/g, " ").trim();
  if (trimmed.length > maxPriceLength) return undefined;
  const [, before, after] = /^([A-Za-z]{3})?\s*[-−\d.,' ]*\d[\d.,' ]*\s*([A-Za-z]{3})?$/.exec(trimmed) ?? [];
  const code = (before ?? after)?.toUpperCase();
  if (code !== undefined) return code;
  if (!/\d/.test(trimmed)) return undefined;
  const sign = signs.find((one) => trimmed.startsWith(one) || trimmed.endsWith(one));
  return sign && codeBySign[sign];
}

/** Returns the currency that a column's name states, such as Price (EUR), Preis in € and price_usd. */
export function currencyOfHeader(name: string): string | undefined {
  const [, site] = /[|(]Currency=([A-Z]{3})\b/.exec(name) ?? [];
  if (site) return site;
  const named = name.split(/[^\p{L}$€£¥₹₽₩]+/u).map((word) => codeBySign[word] ?? toCode(word));
  return named.slice(1).find((code) => code !== undefined);
}

/** Words such as "all" and "top" are also codes, so that lower-case ones count only when they are common. */
function toCode(word: string): string | undefined {
  const isCode = /^[A-Z]{3}$/.test(word) ? codes.has(word) : commonCodes.test(word);
  return isCode ? word.toUpperCase() : undefined;
}

/** The US dollar as people write it: `US Dollar`, `$ USD`, `dollars`. */
const dollarName = /^(?:(?:us|usd|united states)[ -]?)?(?:\$|dollars?)$|^\$ ?usd?$/i;

/** Reads a cell of a currency column: a code, a sign, or a name of the dollar. Undefined when it is empty. */
export function currencyOfCell(text: string): string | undefined {
  const cell = text.trim();
  if (cell === "") return undefined;
  if (dollarName.test(cell.replace(/[.()]/g, ""))) return "USD";
  return codeBySign[cell] ?? cell.toUpperCase();
}
