import type { DialectDefinition } from "./dialect-definition.ts";

const numbered = (count: number, name: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index + 1));

/** Older Shopify exports; newer ones have other names for the same columns. */
export const shopifyLegacy: DialectDefinition = {
  columns: {
    name: ["title"],
    sku: ["variant sku"],
    category: ["product category", "type"],
    price: ["variant price"],
    description: ["body (html)"],
    inventory: ["variant inventory qty"],
    tracking: ["variant inventory tracker"],
    image: ["variant image", "image src"],
    variantImage: ["variant image"],
    productImage: ["image src"],
    brand: ["vendor"],
    group: ["handle"],
    status: ["status", "published"],
    id: ["handle"],
    options: numbered(3, (number) => `option${number} value`),
    barcode: ["variant barcode"],
    mark: ["variant price", "variant sku"],
  },
  signature: ["id", "name", "mark"],
  family: { type: "consecutive" },
  namesByOptions: true,
  noOption: ["Default Title"],
  namesTracker: true,
  derivedSku: "handle",
};

export const shopifyNew: DialectDefinition = {
  ...shopifyLegacy,
  columns: {
    name: ["title"],
    sku: ["sku"],
    category: ["product category", "type"],
    price: ["price"],
    description: ["description"],
    inventory: ["inventory quantity"],
    tracking: ["inventory tracker"],
    image: ["variant image url", "product image url"],
    variantImage: ["variant image url"],
    productImage: ["product image url"],
    brand: ["vendor"],
    group: ["url handle"],
    status: ["status", "published on online store"],
    id: ["url handle"],
    options: numbered(3, (number) => `option${number} value`),
    barcode: ["barcode"],
  },
  signature: ["id", "name"],
};

/** BigCommerce, the present export. */
export const bigCommerce: DialectDefinition = {
  columns: {
    name: ["name"],
    sku: ["sku"],
    category: ["categories"],
    price: ["price"],
    sale: ["sale price"],
    description: ["description"],
    inventory: ["current stock"],
    tracking: ["inventory tracking"],
    image: ["variant image url", "internal image url (export)", "image url (import)"],
    brand: ["brand name", "brand"],
    status: ["is visible"],
    kind: ["item"],
    id: ["id"],
    options: ["options"],
    barcode: ["upc/ean", "global trade number"],
    mark: ["is visible", "inventory tracking"],
  },
  signature: ["kind", "name", "sku", "price", "mark"],
  family: { type: "kinds", parents: /^$a/, variants: /^variant$/, others: /^(image|video)$/, variantsBy: "order" },
  categories: { list: ";", level: "/" },
  namesByOptions: true,
  derivedSku: { prefix: "bc-" },
  zeroSaleIsNone: true,
};

/** BigCommerce, the export templates "Default" and "Bulk edit". */
export const bigCommerceLegacy: DialectDefinition = {
  columns: {
    name: ["product name"],
    sku: ["product code/sku"],
    category: ["category"],
    price: ["price"],
    sale: ["sale price"],
    description: ["product description"],
    inventory: ["current stock level"],
    tracking: ["track inventory"],
    image: ["product image url - 1", "product image file - 1"],
    brand: ["brand name"],
    status: ["product visible?", "allow purchases?"],
    kind: ["item type"],
    id: ["product id"],
    options: ["product name"],
    barcode: ["product upc/ean"],
  },
  signature: ["kind", "name", "sku"],
  // The name of a SKU is the list of its options: [S]Size=Small,[RB]Color=Red.
  family: { type: "kinds", parents: /^$a/, variants: /^sku$/, others: /^rule$/, variantsBy: "order" },
  categories: { list: ";", level: "/" },
  namesByOptions: true,
  derivedSku: { prefix: "bc-" },
  zeroSaleIsNone: true,
};

/** Square: Items > Actions > Export library. Each row is a variation. */
export const square: DialectDefinition = {
  columns: {
    name: ["item name", "customer-facing name"],
    sku: ["sku"],
    category: ["categories", "reporting category", "category"],
    price: ["price"],
    sale: ["online sale price"],
    description: ["description"],
    inventory: ["current quantity…"],
    status: ["sellable"],
    archived: ["archived"],
    id: ["token"],
    group: ["reference handle"],
    options: ["variation name"],
    barcode: ["gtin"],
    mark: ["variation name"],
  },
  signature: ["id", "name", "mark"],
  family: { type: "none" },
  categories: { list: ",", level: ">" },
  namesByOptions: true,
  noOption: ["Regular", "Regulär", "Normal", "Normale", "Habituel", "通常"],
  derivedSku: { prefix: "sq-" },
  zeroSaleIsNone: true,
  sumsInventory: true,
};

/** Squarespace: Products > Export all. */
export const squarespace: DialectDefinition = {
  columns: {
    name: ["title"],
    sku: ["sku"],
    category: ["categories"],
    price: ["price"],
    sale: ["sale price"],
    onSale: ["on sale"],
    description: ["description"],
    inventory: ["stock"],
    image: ["hosted image urls"],
    status: ["visible"],
    id: ["product id [non editable]"],
    group: ["product url"],
    options: numbered(6, (number) => `option value ${number}`),
    mark: ["product type [non editable]"],
  },
  signature: ["id", "name", "price", "mark"],
  family: { type: "consecutive", blankIdContinues: true },
  categories: { list: "," },
  images: { list: /\s+/ },
  namesByOptions: true,
  derivedSku: "handle",
  zeroSaleIsNone: true,
};

/** Wix Stores: file names of images are relative to Wix's media server. */
export const wix: DialectDefinition = {
  columns: {
    name: ["name"],
    sku: ["sku"],
    category: ["collection", "categories"],
    price: ["price"],
    surcharge: ["surcharge"],
    discountMode: ["discountmode"],
    discountAmount: ["discountvalue"],
    description: ["description", "plaindescription"],
    inventory: ["inventory"],
    image: ["productimageurl", "media"],
    brand: ["brand"],
    group: ["handleid", "handle"],
    status: ["visible"],
    kind: ["fieldtype"],
    id: ["handleid", "handle"],
    options: numbered(6, (number) => `productoptiondescription${number}`).concat(
      numbered(6, (number) => `productoptionchoices${number}`),
    ),
    barcode: ["barcode"],
  },
  signature: ["id", "kind", "name"],
  family: { type: "kinds", parents: /^$a/, variants: /^variant$/, others: /^$a/, variantsBy: "order" },
  categories: { list: ";" },
  images: { list: /;/, base: "https://static.wixstatic.com/media/" },
  namesByOptions: true,
  derivedSku: "handle",
};
