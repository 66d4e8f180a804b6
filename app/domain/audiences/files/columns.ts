import { type IdentifierType, maskValue, readIdentifier } from "../members/read-identifier.ts";

/** A column that is read; all others are dropped before anything is kept. */
type IdentifierColumn = { index: number; type: IdentifierType; hashed: boolean };
export type Columns = {
  identifiers: IdentifierColumn[];
  country: number | undefined;
  /** The first row is data, not names of columns. */
  headless: boolean;
  /** Names of the columns that are not read. */
  dropped: string[];
};

const emails =
  /^(customer|contact|subscriber|member|user|account|primary|secondary|alternate|other|home|work|business|personal|billing|shipping|order)?(e?mail|em)(address|adress|id)?\d*$/;
const phones =
  /^(customer|contact|subscriber|member|user|account|primary|secondary|alternate|other|home|work|business|personal|billing|shipping|day|evening)?(tele|mobile|cell|cellular)?(phone|tel|mobile|cell|ph|phonenumber|phoneno|telephone|msisdn|whatsapp)(number|no)?\d*$/;
const hashWords = /(hashed|hash|sha256|sha2|sha)/g;
const countries = /^(billing|shipping|home|phone)?(country|countrycode|countryiso|ctry)(code)?(iso)?2?$/;

/**
 * Finds the columns by their names, in any case. Without names, a first row that holds identifiers is data. Undefined
 * when there is no column to read.
 */
export function findColumns(first: readonly string[]): Columns | undefined {
  const names = first.map((cell) => cell.replace(/[\ufeff\u00a0]/g, "").trim());
  const named = names.flatMap((name, index) => columnOf(name, index) ?? []);
  if (named.length > 0) {
    const country = names.findIndex((name) => countries.test(bare(name)));
    const read = new Set([...named.map((column) => column.index), country]);
    const dropped = names.flatMap((name, index) => (read.has(index) ? [] : [nameOf(name, index)]));
    return { identifiers: named, country: country < 0 ? undefined : country, headless: false, dropped };
  }
  const found = names.flatMap((value, index): IdentifierColumn[] => {
    if (isIdentifier(value, "email")) return [{ index, type: "email", hashed: false }];
    return value.startsWith("+") && isIdentifier(value, "phone") ? [{ index, type: "phone", hashed: false }] : [];
  });
  if (found.length === 0) return undefined;
  const read = new Set(found.map((column) => column.index));
  const dropped = names.flatMap((_, index) => (read.has(index) ? [] : [`column ${index + 1}`]));
  return { identifiers: found, country: undefined, headless: true, dropped };
}

/** Where the columns stand that are read. */
export function indexesOf({ identifiers, country }: Columns): ReadonlySet<number> {
  const indexes = identifiers.map(({ index }) => index);
  return new Set(country === undefined ? indexes : [...indexes, country]);
}

/** The names of a file without an identifier column, for its error: nothing in them that could be a person's address. */
export function describeColumns(first: readonly string[]): string {
  const names = first.slice(0, 20).map(nameOf);
  return names.join(", ") + (first.length > 20 ? ` and ${first.length - 20} more` : "");
}

function columnOf(name: string, index: number): IdentifierColumn[] | undefined {
  const key = bare(name);
  const without = key.replace(hashWords, "");
  const hashed = without !== key;
  if (emails.test(without) || (hashed && without === "")) return [{ index, type: "email", hashed }];
  return phones.test(without) ? [{ index, type: "phone", hashed }] : undefined;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function isIdentifier(value: string, type: IdentifierType): boolean {
  const read = readIdentifier(value, { type });
  return read !== undefined && !("reason" in read);
}

function nameOf(name: string, index: number): string {
  const clean = name
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 60);
  if (clean === "") return `column ${index + 1}`;
  // A column's name is words; what looks like a value is not shown, nor an address that lost its sign.
  return /[@\d]{5,}|@|\d.*\.|\.([a-z]{2}|com|net|org|edu|gov|info|biz|example)$/i.test(clean)
    ? maskValue(clean)
    : clean;
}
