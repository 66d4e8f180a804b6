import type { DialectDefinition } from "../dialects/dialect-definition.ts";
import type { FieldNote, RawProduct } from "../raw-product.ts";
import type { RowView } from "../row-view.ts";
import type { TableFacts } from "../table-facts.ts";
import { currencyOfCell, maxPriceLength } from "./currency.ts";
import { pickBrand, pickCategory, pickImage } from "./pick-from-list.ts";
import { readStatus } from "./read-status.ts";
import { saleApplies, splitSaleDates } from "./sale-price.ts";

/** `now`: when sale prices must apply. */
export type Reading = { definition: DialectDefinition; facts: TableFacts; now: Date };

/** Reads what one row says; what it inherits is added by the row parsers. */
export function readProduct(row: RowView, { definition, facts, now }: Reading): RawProduct {
  const warnings: FieldNote[] = [];
  const price = readPrice(row, { definition, now, warnings });
  const { derivedSku } = definition;
  const id = row.text("id");
  return {
    name: row.text("name"),
    sku: readSku(row, definition, warnings),
    category: pickCategory(row.text("category"), definition.categories),
    ...price,
    currency: currencyOfCell(row.text("currency")),
    usualCurrency: facts.currency,
    surcharge: row.text("surcharge"),
    description: row.text("description"),
    inventory: readInventory(row, definition),
    image: pickImage(row.text("image"), definition.images),
    brand: definition.listsBrands ? pickBrand(row.text("brand")) : row.text("brand"),
    group: row.text("group"),
    status: readStatus(row, facts, warnings),
    derivedSku: typeof derivedSku === "object" && id ? `${derivedSku.prefix}${id}` : "",
    warnings,
  };
}

/** An empty cell of a list is a variation without a SKU. */
function readSku(row: RowView, { listsSkus }: DialectDefinition, warnings: FieldNote[]): string {
  const sku = row.text("sku");
  if (!listsSkus || !sku.includes(",")) return sku;
  const skus = sku.split(",").map((one) => one.trim());
  const [first = ""] = skus.filter((one) => one !== "");
  warnings.push(["sku", `The row lists ${skus.length} variations and is imported as one product with the first SKU`]);
  return first;
}

/** The sale price counts only while its dates say so. */
function readPrice(
  row: RowView,
  { definition, now, warnings }: { definition: DialectDefinition; now: Date; warnings: FieldNote[] },
): Pick<RawProduct, "price" | "discount" | "isReduced"> {
  const regular = row.text("price");
  const both = splitSaleDates(row.text("saleDates"));
  const terms = {
    from: row.text("saleFrom") || both.from,
    to: row.text("saleTo") || both.to,
    onSale: row.text("onSale"),
  };
  const sale = row.text("sale");
  const isNone =
    definition.zeroSaleIsNone && sale.length <= maxPriceLength && /^\D*0*(?:[.,]0*)?\D*$/.test(sale) && regular !== "";
  const discount = readDiscount(row);
  const reduced = discount ? regular : isNone ? "" : sale;
  const applies = saleApplies({ sale: reduced, ...terms }, now);
  if (applies === "unknown")
    warnings.push(["price", "The dates of the sale price could not be read. The regular price was imported."]);
  if (applies !== true) return { price: regular };
  return discount ? { price: regular, discount } : { price: sale, isReduced: true };
}

function readDiscount(row: RowView): RawProduct["discount"] {
  const percent = row.text("discountPercent");
  const amount = row.text("discountAmount");
  const isZero = (text: string) => /^[0.,]*$/.test(text);
  if (!isZero(percent)) return { percent };
  if (isZero(amount)) return undefined;
  return /percent/i.test(row.text("discountMode")) ? { percent: amount } : { amount };
}

const outOfStock =
  /^(out ?of ?stock|sold out|discontinued|nicht auf lager|nicht vorrätig|ausverkauft|rupture de stock|épuisé|agotado|sin existencias|esaurito|non disponibile|niet op voorraad|esgotado|brak w magazynie|нет в наличии|在庫切れ|在庫なし)$/;
const inStock =
  /^(in ?stock|pre ?order|back ?order|unlimited|available( for order)?|limited availability|auf lager|vorrätig|verfügbar|en stock|disponible|disponibile|op voorraad|em estoque|w magazynie|в наличии|在庫あり)$/;

/** A word such as "in stock" is no count; only "out of stock" is one. Our own template is strict. */
function readInventory(row: RowView, definition: DialectDefinition): string | null {
  const counts = row.all("inventory");
  const text = definition.sumsInventory ? sumOf(counts) : (counts[0] ?? "");
  if (definition.countsOnly) return text || null;
  if (!isTracked(row, definition)) return null;
  const word = text.toLowerCase().replaceAll(/[_-]/g, " ").trim();
  if (outOfStock.test(word)) return "0";
  if (inStock.test(word)) return null;
  if (text === "") return row.text("inStock") === "0" ? "0" : null;
  return text;
}

/** Whether the inventory is counted: the number of one that is not says nothing. */
function isTracked(row: RowView, { namesTracker }: DialectDefinition): boolean {
  const tracking = row.text("tracking");
  if (tracking === "") return !namesTracker || !row.has("tracking");
  return !/^(?:none|no|n|false|0)$/i.test(tracking);
}

/**
 * Returns the whole units of all locations. With a cell that is no number the result is none either, and is rejected.
 */
function sumOf(counts: readonly string[]): string {
  if (counts.length < 2) return counts[0] ?? "";
  const numbers = counts.map(Number);
  if (!numbers.every(Number.isFinite)) return counts.join(" + ");
  const sum = numbers.reduce((total, count) => total + count, 0);
  // Parts of units have up to five decimals; binary fractions miss the sum by less.
  return String(Math.trunc(Number(sum.toFixed(5))));
}
