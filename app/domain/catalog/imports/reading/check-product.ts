import { productLimits } from "../../product.ts";
import type { ImportField, ImportOptions } from "../catalog-import.ts";
import type { RawProduct } from "./dialect-rows.ts";
import { plainText } from "./plain-text.ts";
import { type PriceStyle, readPrice } from "./read-price.ts";

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
};

export type Checked = {
  product: CheckedProduct;
  errors: readonly (readonly [ImportField, string])[];
  warnings: readonly (readonly [ImportField, string])[];
  derivedSku: boolean;
  defaultCategory: boolean;
};

type Rules = { options: ImportOptions; priceStyle: PriceStyle | undefined; isShopExport: boolean };

/** What can be made of what a row says. With an error it is no product. */
export function checkProduct(raw: RawProduct, { options, priceStyle, isShopExport }: Rules): Checked {
  const errors: [ImportField, string][] = [];
  const warnings: [ImportField, string][] = [];
  const line = (field: "name" | "sku" | "category" | "brand" | "group", text: string): string => {
    const clean = oneLine(text);
    if (/\p{Cc}/u.test(clean)) errors.push([field, "Remove the control characters"]);
    if ([...clean].length > productLimits[field])
      errors.push([field, `Use at most ${productLimits[field]} characters`]);
    return clean;
  };
  const name = line("name", plainText(raw.name));
  if (name === "") errors.push(["name", "The product name is missing"]);
  const derivedSku = raw.sku === "" && options.deriveSku && raw.derivedSku !== "";
  const sku = line("sku", derivedSku ? raw.derivedSku : raw.sku);
  if (sku === "") errors.push(["sku", missingSku(isShopExport && raw.derivedSku !== "")]);
  if (isScientific(sku)) warnings.push(["sku", `A spreadsheet damaged this number: ${sku}`]);
  const given = line("category", raw.category);
  const defaultCategory = given === "" && options.defaultCategory !== null;
  const category = defaultCategory ? (options.defaultCategory ?? "") : given;
  if (category === "") errors.push(["category", "The category is missing"]);
  const price = raw.price === "" ? { problem: "The price is missing" } : readPrice(raw.price, priceStyle);
  if ("problem" in price) errors.push(["price", price.problem]);
  const inventory = readInventory(raw.inventory, isShopExport);
  if (inventory.error) errors.push(["inventory", inventory.error]);
  if (inventory.warning) warnings.push(["inventory", inventory.warning]);
  const description = shortened(plainText(raw.description).toWellFormed().normalize("NFC").replaceAll("\0", ""));
  if (description.cut) warnings.push(["description", "The description was cut at 5,000 characters"]);
  const imageUrl = pictureAt(raw.image);
  if (raw.image !== "" && !imageUrl) {
    warnings.push(["image", "Left out: pictures need an address that begins with https://"]);
  }
  const product = {
    name,
    sku,
    category,
    priceCents: "cents" in price ? price.cents : 0,
    description: description.text || null,
    inventory: inventory.count,
    imageUrl,
    brand: line("brand", raw.brand) || null,
    groupKey: line("group", raw.group) || null,
  };
  return { product, errors, warnings, derivedSku, defaultCategory };
}

/** `3.65275E+11`: what is left of a long number that a spreadsheet has shown. */
export function isScientific(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+?\d+$/i.test(text);
}

function oneLine(text: string): string {
  return text.toWellFormed().normalize("NFC").replace(/\s+/g, " ").trim();
}

function missingSku(canBeDerived: boolean): string {
  return canBeDerived ? "The SKU is missing. It can be derived from what else the export says" : "The SKU is missing";
}

function readInventory(text: string | null, isShopExport: boolean) {
  if (text === null || text === "") return { count: null };
  const digits = /^(-?\d{1,3}(?:,\d{3})+|-?\d+)(?:\.0+)?$/.exec(text)?.[1]?.replaceAll(",", "");
  if (digits === undefined) return { count: null, error: "This is not a whole number" };
  const count = Number(digits);
  if (count > productLimits.inventory) return { count: null, error: "This is more than 1,000,000,000" };
  if (count >= 0) return { count };
  if (!isShopExport) return { count: null, error: "The inventory cannot be negative" };
  return { count: 0, warning: `${digits} is taken as 0: more was sold than was there` };
}

function shortened(text: string): { text: string; cut: boolean } {
  if (text.length <= productLimits.description) return { text, cut: false };
  const signs = [...text];
  if (signs.length <= productLimits.description) return { text, cut: false };
  return { text: signs.slice(0, productLimits.description).join(""), cut: true };
}

function pictureAt(address: string): string | null {
  if (!/^https:\/\//i.test(address) || address.length > productLimits.image || !URL.canParse(address)) return null;
  const { hostname, href, username } = new URL(address);
  return username === "" && /^(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i.test(hostname) ? href : null;
}
