import { type ConsentColumn, detectConsentColumn } from "../consent/consent-columns.ts";
import { headerKey } from "../consent/header-key.ts";
import { type IdentifierType, maskValue, parseIdentifier } from "../members/parse-identifier.ts";

/** A column that is imported. All other columns are dropped before anything is stored. */
type IdentifierColumn = { index: number; type: IdentifierType; hashed: boolean };
export type IdentifierColumns = {
  identifiers: IdentifierColumn[];
  /** The columns with the country of phone numbers; the first one that is not blank counts. */
  countries: number[];
  /** The columns that say who agreed or objected, in the order of the file. */
  consents: ConsentColumn[];
  /** Whether the first row is data instead of column names. */
  headerless: boolean;
  /** Names of the columns that are not imported. */
  dropped: string[];
};

/** `includesOptOuts`: the uploader stated that people who opted out are imported too. */
export type ColumnOptions = { includesOptOuts?: boolean };

const owners =
  "(?:customer|contact|subscriber|member|user|account|person|primary|secondary|alternate|other|home|work|business|personal|billing|shipping|mailing|order|default|main|day|evening|kunden?)?(?:address)?";
const emails = new RegExp(`^${owners}(?:e?mail|em)(?:address|adress|adresse|id)?\\d*$|^email\\d+value$`);
const phones = new RegExp(
  `^${owners}(?:tele|mobile|cell|cellular)?(?:phone|tel|mobile|cell|ph|phonenumber|phoneno|telephone|msisdn|whatsapp)(?:number|no)?\\d*$|^phone\\d+value$`,
);
const hashTerms = /(hashed|hash|sha256|sha2|sha)/g;
const countries = new RegExp(
  `^${owners}(?:phone)?(?:country|ctry)(?:region)?(?:code|iso|id|name)*2?$|^address\\d+country$|^(?:iso)?countrycode(?:iso)?2?$`,
);
/** Whether a country column holds codes, which are safer than names. */
const codes = /code|iso|id$|kurzel|codigo|codice|kod|код|コート/;

/** Names in German, French, Spanish, Italian, Dutch, Portuguese, Polish, Russian and Japanese. */
const localizedEmails = keysOf(
  "Email-Adresse|Mailadresse|Email des Kunden|Adresse email|Adresse mail|Adresse électronique|Courriel|Adresse courriel",
  "Correo|Correo electrónico|Dirección de correo|Dirección de correo electrónico|Dirección de email",
  "Posta elettronica|Indirizzo email|Indirizzo di posta elettronica|E-mailadres|Mailadres",
  "Correio eletrônico|Correio electrónico|Endereço de email|Endereço eletrônico",
  "Adres email|Poczta elektroniczna|Adres poczty elektronicznej",
  "Электронная почта|Почта|Эл. почта|Адрес электронной почты|Имейл|Адрес почты|Емейл",
  "メール|メールアドレス|Eメール|Eメールアドレス|電子メール|電子メールアドレス",
);
const localizedPhones = keysOf(
  "Telefon|Telefonnummer|Telefon-Nr.|Tel.-Nr.|Handy|Handynummer|Mobil|Mobilnummer|Mobiltelefon|Rufnummer|Festnetz",
  "Téléphone|Numéro de téléphone|N° de téléphone|Tél.|Téléphone portable|Téléphone mobile|Portable|GSM|Numéro de portable",
  "Teléfono|Número de teléfono|Teléfono móvil|Móvil|Celular|Teléfono celular|Número de móvil",
  "Telefono|Numero di telefono|Cellulare|Numero di cellulare|Telefono cellulare|Recapito telefonico",
  "Telefoon|Telefoonnummer|Mobiel|Mobiele telefoon|Mobiel nummer|Mobiele nummer",
  "Telefone|Número de telefone|Telefone celular|Telemóvel|Número de celular|Nº de telefone",
  "Numer telefonu|Nr telefonu|Telefon komórkowy|Komórka|Numer komórkowy",
  "Телефон|Номер телефона|Мобильный телефон|Мобильный|Сотовый|Сотовый телефон|Тел.",
  "電話|電話番号|携帯|携帯電話|携帯番号|携帯電話番号|TEL",
);
const localizedCountries = keysOf(
  "Land|Länderkürzel|Ländercode|Landeskürzel|Land (Rechnung)|Pays|Code pays|Pays/Région|País|Código de país|Código del país|País/Región",
  "Paese|Codice paese|Nazione|Paese/Area geografica|Landcode|Land/regio|Código do país|País/Região|Kraj|Kod kraju|Kraj/region",
  "Страна|Код страны|Страна/регион|国|国名|国コード|国・地域|国/地域",
);

/**
 * Detects the identifier columns by name, ignoring case and accents, and the columns that say who opted out. Without
 * column names, a first row that holds identifiers is treated as data. Returns undefined when there is no identifier
 * column.
 */
export function detectColumns(
  first: readonly string[],
  { includesOptOuts = false }: ColumnOptions = {},
): IdentifierColumns | undefined {
  const names = first.map((cell) => cell.replace(/[\ufeff\u00a0]/g, "").trim());
  const named = detectNamedColumns(names, { includesOptOuts });
  if (named) return named;
  const identifierColumns = names.flatMap((value, index): IdentifierColumn[] => {
    if (isIdentifier(value, "email")) return [{ index, type: "email", hashed: false }];
    return value.startsWith("+") && isIdentifier(value, "phone") ? [{ index, type: "phone", hashed: false }] : [];
  });
  if (identifierColumns.length === 0) return undefined;
  const read = new Set(identifierColumns.map((column) => column.index));
  const dropped = names.flatMap((_, index) => (read.has(index) ? [] : [`Column ${index + 1}`]));
  return { identifiers: identifierColumns, countries: [], consents: [], headerless: true, dropped };
}

/** Detects columns by name only; returns undefined when no name is that of an identifier. */
export function detectNamedColumns(
  names: readonly string[],
  { includesOptOuts = false }: ColumnOptions,
): IdentifierColumns | undefined {
  const identifiers = names.flatMap((name, index) => detectColumn(name, index) ?? []);
  if (identifiers.length === 0) return undefined;
  const taken = new Set(identifiers.map(({ index }) => index));
  const free = names.flatMap((name, index) => (taken.has(index) || name === "" ? [] : [{ index, name }]));
  const consents = includesOptOuts
    ? []
    : free.flatMap(({ index, name }) => detectConsentColumn(name, index) ?? []).map(withLabel);
  const found = { identifiers, countries: detectCountries(free), consents, headerless: false };
  const read = columnIndexes(found);
  return { ...found, dropped: names.flatMap((name, index) => (read.has(index) ? [] : [columnLabel(name, index)])) };
}

function withLabel(column: ConsentColumn): ConsentColumn {
  return { ...column, name: columnLabel(column.name, column.index) };
}

function detectCountries(names: readonly { index: number; name: string }[]): number[] {
  const found = names
    .map(({ index, name }) => ({ index, key: headerKey(name) }))
    .filter(({ key }) => countries.test(key) || localizedCountries.has(key) || key === "cc");
  // Codes come first. Mailchimp's CC comes last, because it is only where the person's computer was.
  const rank = (key: string) => (key === "cc" ? 2 : codes.test(key) ? 0 : 1);
  return found.sort((a, b) => rank(a.key) - rank(b.key) || a.index - b.index).map(({ index }) => index);
}

/** Returns the indexes of the columns that are read. */
export function columnIndexes({
  identifiers,
  countries,
  consents,
}: Pick<IdentifierColumns, "identifiers" | "countries" | "consents">): ReadonlySet<number> {
  return new Set([...identifiers, ...consents].map(({ index }) => index).concat(countries));
}

/**
 * Describes the columns of a file without an identifier column for its error message. Masks names that could be a
 * person's address.
 */
export function describeColumns(first: readonly string[]): string {
  const names = first.slice(0, 20).map(columnLabel);
  return names.join(", ") + (first.length > 20 ? ` and ${first.length - 20} more` : "");
}

function detectColumn(name: string, index: number): IdentifierColumn[] | undefined {
  const key = headerKey(name);
  if (localizedEmails.has(key)) return [{ index, type: "email", hashed: false }];
  if (localizedPhones.has(key)) return [{ index, type: "phone", hashed: false }];
  const withoutHashTerms = key.replace(hashTerms, "");
  const hashed = withoutHashTerms !== key;
  if (emails.test(withoutHashTerms) || (hashed && withoutHashTerms === "")) return [{ index, type: "email", hashed }];
  return phones.test(withoutHashTerms) ? [{ index, type: "phone", hashed }] : undefined;
}

function keysOf(...names: string[]): ReadonlySet<string> {
  return new Set(names.flatMap((line) => line.split("|")).map(headerKey));
}

function isIdentifier(value: string, type: IdentifierType): boolean {
  const read = parseIdentifier(value, { type });
  return read !== undefined && !("reason" in read);
}

function columnLabel(name: string, index: number): string {
  const clean = name
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 60);
  if (clean === "") return `Column ${index + 1}`;
  // Column names are words. Anything that looks like a value, or like an address without its at sign, is masked.
  return /[@\d]{5,}|@|\d.*\.|\.([a-z]{2}|com|net|org|edu|gov|info|biz|example)$/i.test(clean)
    ? maskValue(clean)
    : clean;
}
