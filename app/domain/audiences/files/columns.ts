import { type ConsentColumn, detectConsentColumn } from "../consent/consent-columns.ts";
import { headerKey } from "../consent/header-key.ts";
import { type IdentifierType, maskValue, parseIdentifier } from "../members/parse-identifier.ts";
import { addressUses, type ColumnUse, consentOf, consentUse, identifierOf, identifierUse } from "./column-uses.ts";

/** A column that is imported. All other columns are dropped before anything is stored. */
type IdentifierColumn = { index: number; type: IdentifierType; hashed: boolean };
export type IdentifierColumns = {
  identifiers: IdentifierColumn[];
  /** The columns with the country of phone numbers and addresses; the first one that is not blank counts. */
  countries: number[];
  /** The columns that say who agreed or objected, in the order of the file. */
  consents: ConsentColumn[];
  /** The columns with parts of an address; absent where addresses are not imported. */
  address?: { givenName: number; familyName: number; postalCode: number } | undefined;
  /** Whether the first row is data instead of column names. */
  headerless: boolean;
  /** Names of the columns that are not imported. */
  dropped: string[];
  /** The ISO code of the country of rows without one, where it is not the audience's. */
  phoneCountry?: string | undefined;
};

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

/** Detects what each column is by its name, ignoring case and accents. */
export function detectUses(names: readonly string[]): ColumnUse[] {
  return names.map((name, index) => {
    const identifier = detectIdentifier(name);
    if (identifier) return identifierUse(identifier);
    if (name === "") return "ignored";
    const consent = detectConsentColumn(name, index);
    if (consent) return consentUse(consent);
    return isCountryKey(headerKey(name)) ? "country" : "ignored";
  });
}

/** Detects what each column of a table without column names is, by its first row: only identifiers are recognized. */
export function detectUsesOfValues(values: readonly string[]): ColumnUse[] {
  return values.map((value) => {
    if (isIdentifier(value, "email")) return "email";
    return value.startsWith("+") && isIdentifier(value, "phone") ? "phone" : "ignored";
  });
}

export function hasIdentifier(uses: readonly ColumnUse[]): boolean {
  return uses.some((use) => identifierOf(use));
}

type TableUses = {
  names: readonly string[];
  uses: readonly ColumnUse[];
  headerless: boolean;
  /** The uploader stated that people who opted out are imported too. */
  includesOptOuts: boolean;
  /** Whether addresses are imported from the columns that are mapped to them. */
  includesAddresses: boolean;
};

/** Returns which columns are read for which use. */
export function toColumns({
  names,
  uses,
  headerless,
  includesOptOuts,
  includesAddresses,
}: TableUses): IdentifierColumns {
  const labels = names.map((name, index) => columnLabel(headerless ? "" : name, index));
  const identifiers = uses.flatMap((use, index) => {
    const identifier = identifierOf(use);
    return identifier ? [{ index, ...identifier }] : [];
  });
  const consents = uses.flatMap((use, index): ConsentColumn[] => {
    const consent = includesOptOuts ? undefined : consentOf(use);
    return consent ? [{ index, name: labels[index] ?? "", ...consent }] : [];
  });
  const countries = rankCountries(names, uses);
  const address = includesAddresses ? findAddress(uses) : undefined;
  const read = columnIndexes({ identifiers, countries, consents, address });
  return {
    identifiers,
    countries,
    consents,
    address,
    headerless,
    dropped: labels.filter((_, index) => !read.has(index)),
  };
}

function findAddress(uses: readonly ColumnUse[]): IdentifierColumns["address"] {
  const [givenName = -1, familyName = -1, postalCode = -1] = addressUses.map((use) => uses.indexOf(use));
  return givenName < 0 || familyName < 0 || postalCode < 0 ? undefined : { givenName, familyName, postalCode };
}

/** Returns the indexes of the country columns, in the order in which they count. */
function rankCountries(names: readonly string[], uses: readonly ColumnUse[]): number[] {
  // Codes come first. Mailchimp's CC comes last, because it is only where the person's computer was.
  const rank = (key: string) => (key === "cc" ? 2 : codes.test(key) ? 0 : 1);
  return uses
    .flatMap((use, index) => (use === "country" ? [{ index, rank: rank(headerKey(names[index] ?? "")) }] : []))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ index }) => index);
}

function isCountryKey(key: string): boolean {
  return countries.test(key) || localizedCountries.has(key) || key === "cc";
}

/** Returns the indexes of the columns that are read. */
export function columnIndexes({
  identifiers,
  countries,
  consents,
  address,
}: Pick<IdentifierColumns, "identifiers" | "countries" | "consents" | "address">): ReadonlySet<number> {
  const found = [...identifiers, ...consents].map(({ index }) => index);
  return new Set(found.concat(countries, Object.values(address ?? {})));
}

/**
 * Describes the columns of a file without an identifier column for its error message. Masks names that could be a
 * person's address.
 */
export function describeColumns(first: readonly string[]): string {
  const names = first.slice(0, 20).map(columnLabel);
  return names.join(", ") + (first.length > 20 ? ` and ${first.length - 20} more` : "");
}

function detectIdentifier(name: string): { type: IdentifierType; hashed: boolean } | undefined {
  const key = headerKey(name);
  if (localizedEmails.has(key)) return { type: "email", hashed: false };
  if (localizedPhones.has(key)) return { type: "phone", hashed: false };
  const withoutHashTerms = key.replace(hashTerms, "");
  const hashed = withoutHashTerms !== key;
  if (emails.test(withoutHashTerms) || (hashed && withoutHashTerms === "")) return { type: "email", hashed };
  return phones.test(withoutHashTerms) ? { type: "phone", hashed } : undefined;
}

function keysOf(...names: string[]): ReadonlySet<string> {
  return new Set(names.flatMap((line) => line.split("|")).map(headerKey));
}

function isIdentifier(value: string, type: IdentifierType): boolean {
  const read = parseIdentifier(value, { type });
  return read !== undefined && !("reason" in read);
}

/** Returns a column's name as it is shown: masked if it could be a value, `Column 3` if it has none. */
export function columnLabel(name: string, index: number): string {
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
