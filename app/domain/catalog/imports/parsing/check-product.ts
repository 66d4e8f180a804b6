import { parseImageUrl } from "#app/domain/catalog/image-url.ts";
import { type ListingStatus, productLimits } from "#app/domain/catalog/product.ts";
import { shortenText } from "#app/domain/shorten-text.ts";
import { removeInvisible, visiblePattern, visibleText } from "#app/domain/visible-text.ts";
import { isCellError, unsavedFormula } from "#app/sheets/numbers/format-cell.ts";
import { catalogCurrency, type ImportField, type ImportOptions, importFields } from "../catalog-import.ts";
import { decodeEntities, htmlToText } from "./html-to-text.ts";
import { type DecimalSeparator, describeForeignPrice, parsePrice } from "./parse-price.ts";
import type { RawProduct } from "./raw-product.ts";
import { currencyOfPrice } from "./values/currency.ts";

type CheckedProduct = {
  name: string;
  sku: string;
  category: string;
  priceCents: number;
  description: string | null;
  inventory: number | null;
  imageUrl: string | null;
  brand: string | null;
  groupKey: string | null;
  listingStatus: ListingStatus | null;
};

export type ProductCheck = {
  product: CheckedProduct;
  errors: readonly (readonly [ImportField, string])[];
  warnings: readonly (readonly [ImportField, string])[];
  derivedSku: boolean;
  defaultCategory: boolean;
};

type Rules = {
  options: Pick<ImportOptions, "deriveSku" | "defaultCategory" | "imageBase">;
  decimalSeparator: DecimalSeparator | undefined;
  isShopExport: boolean;
};

/** Validates the raw fields of a row. With an error the row is not a product. */
export function checkProduct(raw: RawProduct, { options, decimalSeparator, isShopExport }: Rules): ProductCheck {
  const errors: [ImportField, string][] = [];
  const warnings: (readonly [ImportField, string])[] = [...(raw.warnings ?? [])];
  const line = (field: "name" | "sku" | "category" | "brand" | "group", text: string): string => {
    const clean = oneLine(text);
    if (/\p{Cc}/u.test(clean)) errors.push([field, "Remove invisible control characters"]);
    if ([...clean].length > productLimits[field])
      errors.push([field, `Use at most ${productLimits[field]} characters`]);
    return clean;
  };
  const name = line("name", htmlToText(raw.name));
  if (name === "") errors.push(["name", "Product name is missing"]);
  const derivedSku = raw.sku === "" && options.deriveSku && raw.derivedSku !== "";
  const sku = line("sku", derivedSku ? raw.derivedSku : raw.sku);
  if (sku === "") errors.push(["sku", missingSku(isShopExport && raw.derivedSku !== "")]);
  if (isScientificNotation(sku))
    warnings.push([
      "sku",
      `A spreadsheet changed this number to scientific notation: ${sku}. Format the column as text.`,
    ]);
  if (isSpreadsheetDate(sku))
    warnings.push(["sku", `A spreadsheet may have changed this SKU to a date: ${sku}. Format the column as text.`]);
  const ownCategory = line("category", decodeEntities(raw.category));
  const defaultCategory = ownCategory === "" && options.defaultCategory !== null;
  const category = defaultCategory ? (options.defaultCategory ?? "") : ownCategory;
  if (category === "") errors.push(["category", "Category is missing"]);
  const price = readPrice(raw, decimalSeparator);
  if ("problem" in price) errors.push(["price", price.problem]);
  const inventory = readInventory(raw.inventory, { isShopExport, decimalSeparator });
  if (inventory.error) errors.push(["inventory", inventory.error]);
  if (inventory.warning) warnings.push(["inventory", inventory.warning]);
  const description = truncate(readDescription(htmlToText(raw.description)));
  if (description.cut) warnings.push(["description", "Description shortened to 5,000 characters"]);
  const isFileName = raw.image !== "" && !/^[a-z][a-z0-9+.-]*:/i.test(raw.image) && !raw.image.startsWith("//");
  const address = parseImageUrl(isFileName && options.imageBase ? joinUrl(options.imageBase, raw.image) : raw.image);
  // Letters beyond ASCII take several characters in a URL.
  const isTooLong = address !== null && address.length > productLimits.image;
  const imageUrl = isTooLong ? null : address;
  if (raw.image !== "" && !imageUrl) {
    const reason = /^https:/i.test(raw.image) ? noHostName : noImageUrl;
    warnings.push(["image", isTooLong ? longImageUrl : isFileName ? noImageBase : reason]);
  }
  const product = {
    name,
    sku,
    category,
    priceCents: "cents" in price ? price.cents : 0,
    description: description.text || null,
    inventory: inventory.count,
    imageUrl,
    brand: line("brand", decodeEntities(raw.brand)) || null,
    groupKey: line("group", raw.group) || null,
    listingStatus: raw.status,
  };
  return { product, errors: explainFormulas(raw, errors), warnings, derivedSku, defaultCategory };
}

/** Names a formula without a result, or with an error, as the reason, instead of what its placeholder is not. */
function explainFormulas(raw: RawProduct, errors: ProductCheck["errors"]): ProductCheck["errors"] {
  const found = importFields.flatMap((field) => {
    const message = describeFormula(raw[field]);
    return message ? [[field, message] as const] : [];
  });
  return found.length === 0
    ? errors
    : [...found, ...errors.filter(([field]) => !found.some(([explained]) => explained === field))];
}

function describeFormula(text: string | null): string | undefined {
  if (text === unsavedFormula)
    return "The formula's result was not saved. Open the file in a spreadsheet app, save it and upload it again.";
  return text && isCellError(text)
    ? `${text} is a spreadsheet error. Correct the formula and upload the file again.`
    : undefined;
}

type Price = { cents: number } | { problem: string };

/** The price in cents with what is added to it and taken off. A currency other than the account's rejects it. */
function readPrice(raw: RawProduct, style: DecimalSeparator | undefined): Price {
  if (raw.price === "") return { problem: "Price is missing" };
  const currency = raw.currency ?? currencyOfPrice(raw.price) ?? raw.usualCurrency ?? catalogCurrency;
  if (currency !== catalogCurrency) return { problem: describeForeignPrice(currency) };
  const price = parsePrice(raw.price, style);
  if ("problem" in price) return price;
  const surcharge = raw.surcharge ? parsePrice(raw.surcharge, style) : { cents: 0 };
  if ("problem" in surcharge) return surcharge;
  const full = price.cents + surcharge.cents;
  if (full > productLimits.priceCents) return { problem: "Price can't exceed $10,000,000" };
  return applyDiscount(full, raw.discount, style);
}

function applyDiscount(cents: number, discount: RawProduct["discount"], style: DecimalSeparator | undefined): Price {
  if (!discount) return { cents };
  const text = "percent" in discount ? discount.percent.replace("%", "") : discount.amount;
  const off = parsePrice(text, style);
  if ("problem" in off) return { problem: `The discount is not valid: ${shortenText(text, 40)}` };
  // Both are whole numbers of hundredths: of a percent, and of a dollar.
  const reduced = "percent" in discount ? Math.round((cents * (10_000 - off.cents)) / 10_000) : cents - off.cents;
  return reduced < 0 ? { problem: "The discount exceeds the price" } : { cents: reduced };
}

/** Whether the text looks like `3.65275E+11`: a long number that a spreadsheet reformatted. */
export function isScientificNotation(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+?\d+$/i.test(text);
}

const months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const spreadsheetDate = new RegExp(
  `^(?:(?:19|20)\\d\\d-\\d\\d-\\d\\d|\\d{1,2}-(?:${months})(?:-\\d\\d(?:\\d\\d)?)?|(?:${months})-\\d\\d)$`,
  "i",
);

/**
 * Whether the text is a date as spreadsheets write those that they make of `MAR-1` and `3-12`: 1-Mar, Mar-01,
 * 2026-03-12.
 */
function isSpreadsheetDate(text: string): boolean {
  return spreadsheetDate.test(text);
}

/** Returns the text as one line; empty if one sees nothing of it. */
function oneLine(text: string): string {
  const line = removeInvisible(text.toWellFormed()).normalize("NFC").replace(/\s+/g, " ").trim();
  return /\p{Cc}/u.test(line) || visiblePattern.test(line) ? line : "";
}

/** Removes control characters other than line breaks: nobody sees them, and the product's form refuses them. */
function readDescription(text: string): string {
  return visibleText(text.replace(/[^\P{Cc}\n]/gu, "").toWellFormed()).normalize("NFC");
}

function missingSku(canBeDerived: boolean): string {
  return canBeDerived ? "SKU is missing. Turn on “Generate a SKU” to create one." : "SKU is missing";
}

/**
 * A number with decimals that cannot be thousands: stores write parts of units so beside prices with decimal commas,
 * too.
 */
const decimalPoint = /^-?(?:0\.\d+|\d+\.(?:\d{1,2}|\d{4,}))$/;

/**
 * In a file whose prices have decimal commas, 1.000 is a thousand, and 12,000 is twelve with decimals. Stores that sell
 * by weight or length count parts of units, which are cut off; 1.200 may also be a thousand where no price shows what
 * it is.
 */
function readInventory(
  cell: string | null,
  { isShopExport, decimalSeparator }: Pick<Rules, "isShopExport" | "decimalSeparator">,
) {
  if (cell === null || cell === "") return { count: null };
  const hasCommas = decimalSeparator === "comma" && !(isShopExport && decimalPoint.test(cell));
  const text = hasCommas ? cell.replace(/[.,]/g, (sign) => (sign === "." ? "," : ".")) : cell;
  const [, whole, parts = ""] = /^(-?\d{1,3}(?:,\d{3})+|-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const isDecimal = isShopExport && (parts.length !== 3 || decimalSeparator !== undefined);
  const digits = isDecimal || /^0*$/.test(parts) ? whole?.replaceAll(",", "") : undefined;
  if (digits === undefined) return { count: null, error: "Enter a whole number" };
  const count = Number(digits);
  if (count > productLimits.inventory) return { count: null, error: "Enter 1,000,000,000 or less" };
  if (count >= 0) return { count };
  if (!isShopExport) return { count: null, error: "Inventory can't be negative" };
  return { count: 0, warning: `${digits} was imported as 0 (oversold)` };
}

function truncate(text: string): { text: string; cut: boolean } {
  if (text.length <= productLimits.description) return { text, cut: false };
  const characters = [...text];
  if (characters.length <= productLimits.description) return { text, cut: false };
  return { text: characters.slice(0, productLimits.description).join(""), cut: true };
}

const noImageUrl = "Image not imported. Use a URL that begins with https://.";
const noHostName = "Image not imported. Use a URL with a host name and without a user name.";
const longImageUrl = `Image not imported: its URL has more than ${productLimits.image.toLocaleString("en-US")} characters. Use a shorter one.`;
const noImageBase = "Image not imported: it is a file name. Enter the address of the images, or use URLs.";

/** Puts a file name behind a URL, as a path of its own even where it begins with a slash. */
function joinUrl(base: string, name: string): string {
  const path = name.replace(/^\/+/, "").split("/").map(encodeName).join("/");
  return `${base.replace(/\/+$/, "")}/${path}`;
}

/** Encodes what would end the path; what is encoded already stays. */
function encodeName(name: string): string {
  return name.replace(/[?#\s]/g, encodeURIComponent);
}
