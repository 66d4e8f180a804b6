import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialects } from "#app/domain/catalog/imports/catalog-import.ts";
import { dialectTable } from "#app/domain/catalog/imports/parsing/dialects/dialect-table.ts";
import { looksLikeFeed } from "#app/domain/catalog/imports/parsing/feed-rows.server.ts";
import {
  amazonFlatFile,
  amazonReports,
  bigCommerce,
  bigCommerceLegacy,
  ebayReport,
  etsy,
  magento,
  merchantFeed,
  prestaShop,
  shopifyLegacy,
  square,
  squarespace,
  wix,
  wooCommerce,
  wooCommerceLocalized,
} from "./support/headers.ts";
import { csv, readFeed, readText, rowOf } from "./support/reading.ts";

type Values = Record<string, string>;
type Read = Awaited<ReturnType<typeof readText>>;
const table = (header: readonly string[], ...rows: Values[]) => csv(header, ...rows.map((row) => rowOf(header, row)));
const briefly = ({ products }: Read) => products.map(({ s, n, c, p, v, t }) => [s, n, c, p, v, t]);
const problems = (read: Read) =>
  read.problems.map(({ kind, row, column, message }) => `${kind} ${row} ${column}: ${message}`);

describe("what the store does not sell", () => {
  test("of Shopify is what Status and Published say, for all variants of a product", async () => {
    const mug = { Handle: "mug", Title: "Mug", Type: "Cups", "Option1 Value": "Blue", "Variant Price": "9" };
    const read = await readText(
      table(
        shopifyLegacy,
        { ...mug, "Variant SKU": "M-1", Status: "draft", Published: "true" },
        { Handle: "mug", "Variant SKU": "M-2", "Option1 Value": "Red", "Variant Price": "9" },
        { ...mug, Handle: "cup", "Variant SKU": "C", Status: "active", Published: "false" },
        { ...mug, Handle: "pot", "Variant SKU": "P", Status: "archived", Published: "true" },
        { ...mug, Handle: "jug", "Variant SKU": "J", Status: "active", Published: "true" },
      ),
    );
    expect(read.products.map(({ s, t }) => [s, t])).toEqual([
      ["M-1", "draft"],
      ["M-2", "draft"],
      ["C", "draft"],
      ["P", "archived"],
      ["J", "active"],
    ]);
  });

  test.each([
    ["WAHR", "FALSCH"],
    ["VRAI", "FAUX"],
    ["VERDADERO", "FALSO"],
    ["VERO", "FALSO"],
    ["WAAR", "ONWAAR"],
    ["VERDADEIRO", "FALSO"],
    ["PRAWDA", "FAŁSZ"],
    ["ИСТИНА", "ЛОЖЬ"],
  ])("is what a spreadsheet in another language makes of TRUE and FALSE: %s, %s", async (yes, no) => {
    const mug = { Type: "Cups", "Variant Price": "9", Status: "active" };
    const row = (sku: string, Published: string) => ({
      ...mug,
      Handle: sku,
      Title: sku,
      "Variant SKU": sku,
      Published,
    });
    const read = await readText(table(shopifyLegacy, row("M", yes), row("N", no)));
    expect([read.products.map(({ t }) => t), read.problems]).toEqual([["active", "draft"], []]);
    const cap = { Title: "Cap", "Product ID [Non Editable]": "1", Categories: "Hats", Price: "9", "Sale Price": "5" };
    const sold = await readText(
      table(squarespace, { ...cap, SKU: "A", "On Sale": yes }, { ...cap, SKU: "B", "On Sale": no }),
    );
    expect(sold.products.map(({ p }) => p)).toEqual([500, 900]);
  });

  test("of WooCommerce is what Published says, -1 and 0, also of a variation's product", async () => {
    const cap = { Type: "simple", Name: "Cap", Categories: "Hats", "Regular price": "9" };
    const read = await readText(
      table(
        wooCommerce,
        { ...cap, SKU: "A", Published: "1" },
        { ...cap, SKU: "B", Published: "0" },
        { ...cap, SKU: "C", Published: "-1" },
        { ...cap, SKU: "parent", Type: "variable", Published: "-1" },
        { ...cap, SKU: "D", Type: "variation", Published: "1", Parent: "parent" },
      ),
    );
    expect(read.products.map(({ s, t }) => [s, t])).toEqual([
      ["A", "active"],
      ["B", "draft"],
      ["C", "draft"],
      ["D", "draft"],
    ]);
  });

  test("is a draft with a warning where the status is an unknown word", async () => {
    const read = await readText("name,sku,category,price,status\nPot,1,Tea,2,perhaps\nPan,2,Tea,2,\nCup,3,Tea,2,Aktiv");
    expect(read.products.map(({ s, t }) => [s, t])).toEqual([
      ["1", "draft"],
      ["2", null],
      ["3", "active"],
    ]);
    expect(problems(read)).toEqual([
      "warning 2 status: “perhaps” is not a known status. The product was imported as a draft.",
    ]);
  });
});

describe("a sale price", () => {
  const cap = { Type: "simple", SKU: "C", Name: "Cap", Categories: "Hats", "Regular price": "9", "Sale price": "5" };
  const from = "Date sale price starts";
  const to = "Date sale price ends";

  test.each([
    ["without dates", {}, 500],
    ["of 2020", { [from]: "2020-01-01", [to]: "2020-01-31" }, 900],
    ["that has not begun", { [from]: "2026-11-24T00:00:00" }, 900],
    ["on its last day", { [to]: "2026-11-23" }, 500],
    ["after its last day", { [to]: "2026-11-22" }, 900],
    ["with a time that is over", { [to]: "2026-11-23 11:00:00" }, 900],
    ["between American dates", { [from]: "11/20/2026", [to]: "12/24/2026" }, 500],
    ["since a date that may be May or August, both past", { [from]: "5/8/2026" }, 500],
    ["until a date with dots", { [to]: "24.12.2026" }, 500],
  ])("%s", async (_, dates, cents) => {
    const read = await readText(table(wooCommerce, { ...cap, ...dates }));
    expect([read.products.map(({ p }) => p), read.problems]).toEqual([[cents], []]);
  });

  test.each(["12/11/2026", "someday", "2026-02-30"])("until %s counts as none, with a warning", async (date) => {
    const read = await readText(table(wooCommerce, { ...cap, [to]: date }));
    expect(read.products.map(({ p }) => p)).toEqual([900]);
    expect(problems(read)).toEqual([
      "warning 2 Regular price: The dates of the sale price could not be read. The regular price was imported.",
    ]);
  });

  test("of a product feed has both dates in one cell", async () => {
    const header = [...merchantFeed, "sale_price_effective_date"];
    const item = { title: "TV", product_type: "TVs", price: "20.00 USD", sale_price: "15.00 USD" };
    const dates = (id: string, date: string) => ({ ...item, id, sale_price_effective_date: date });
    const read = await readText(
      table(
        header,
        dates("1", "2026-11-01T11:07+0100/2026-11-29T23:07+0100"),
        dates("2", "2016-02-24T11:07+0100/2016-02-29T23:07+0100"),
      ),
    );
    expect(read.products.map(({ p }) => p)).toEqual([1_500, 2_000]);
  });
});

test("a wrong sale price is reported in its own column", async () => {
  const tv = { title: "TV", product_type: "TVs", price: "20.00 USD" };
  const feed = await readText(
    table(
      merchantFeed,
      { ...tv, id: "1", sale_price: "15.00 EUR" },
      { ...tv, id: "2", price: "20.00 EUR", sale_price: "15.00 USD" },
      { ...tv, id: "3", price: "20.00 EUR" },
    ),
  );
  expect(feed.products.map(({ s, p }) => [s, p])).toEqual([["2", 1_500]]);
  expect(problems(feed)).toEqual([
    "rejected 2 sale_price: This price is in EUR. Use US dollars.",
    "rejected 4 price: This price is in EUR. Use US dollars.",
  ]);
  const cap = { Type: "simple", SKU: "C", Name: "Cap", Categories: "Hats", "Regular price": "9", "Sale price": "-5" };
  expect(problems(await readText(table(wooCommerce, cap)))).toEqual(["rejected 2 Sale price: Price can't be negative"]);
});

test.each(["0", "0.00 USD", "USD 0.00"])(
  "a sale price of %s in a product feed means that there is none",
  async (sale) => {
    const item = { id: "1", title: "TV", product_type: "TVs", price: "20.00 USD", sale_price: sale };
    const read = await readText(table(merchantFeed, item));
    expect([read.products.map(({ p }) => p), read.problems]).toEqual([[2_000], []]);
  },
);

describe("a price in another currency", () => {
  const rejected = async (text: string, currency?: string) => {
    const read = await readText(text, { currency: currency ?? null });
    expect(read.products).toEqual([]);
    return read.problems.map(({ message }) => message);
  };
  test.each([
    ["as Etsy's column says", table(etsy, { TITLE: "Ring", PRICE: "72000", CURRENCY_CODE: "CLP", SKU: "R" }), "CLP"],
    ["as a column beside the template's says", "name,sku,category,price,currency\nPot,1,Tea,72000,clp", "CLP"],
    ["as a Spanish column says", "nombre,referencia,categoría,precio,moneda\nOlla,1,Té,72,MXN", "MXN"],
    ["as the column's name says", "name,sku,category,Price (EUR)\nPot,1,Tea,72", "EUR"],
    ["as the cell says", "name,sku,category,price\nPot,1,Tea,CLP 72.000", "CLP"],
    ["as a sign of several letters says", "name,sku,category,price\nPot,1,Tea,R$ 72", "BRL"],
    ["as a sign after the number says", "name,sku,category,price\nPot,1,Tea,72 zł", "PLN"],
  ])("is rejected by name, %s", async (_, text, code) => {
    const read = await readText(text, { defaultCategory: "Jewelry" });
    expect(read.products).toEqual([]);
    expect(read.problems.map(({ message }) => message)).toEqual([`This price is in ${code}. Use US dollars.`]);
    expect(read.facts.currencySource).toBe("file");
  });

  test("is rejected when that currency is chosen for a file that names none, though not where a price names its own", async () => {
    const text = "title,sku no,dept,price\nPot,1,Tea,72000\n";
    expect((await readText(text, { chosen: { sku: "sku no", category: "dept" } })).facts.currencySource).toBe(
      "assumed",
    );
    const chosen = { sku: "sku no", category: "dept" };
    const read = await readText(`${text}Pan,2,Tea,USD 10\n`, { chosen, currency: "CLP" });
    expect(read.products.map(({ s, p }) => [s, p])).toEqual([["2", 1_000]]);
    expect(problems(read)).toEqual(["rejected 2 price: This price is in CLP. Use US dollars."]);
    const mixed = await readText(`${text}Pan,2,Tea,10 EUR\n`, { chosen });
    expect([mixed.facts.currencySource, mixed.counts.rejected]).toEqual(["assumed", 1]);
  });

  test("is not assumed: dollars are read with and without their sign", async () => {
    expect(await rejected("name,sku,category,price\nPot,1,Tea,")).toEqual(["Price is missing"]);
    const read = await readText("name,sku,category,price_usd\nPot,1,Tea,$ 7\nPan,2,Tea,US$8", {
      chosen: { price: "price_usd" },
    });
    expect(read.products.map(({ p }) => p)).toEqual([700, 800]);
    const words = ["usd", "", "US Dollar", "U.S. dollars", "$ USD", "USD ($)", "dollars", "United States Dollar"];
    const lines = words.map((word, index) => `Pot,${index},Tea,7,${word}`);
    const spoken = await readText(["name,sku,category,price,Currency", ...lines].join("\n"));
    expect([spoken.products.map(({ p }) => p), spoken.problems]).toEqual([words.map(() => 700), []]);
    const named = await readText("name,sku,category,price,Currency\nPot,1,Tea,7,usd\nPan,2,Tea,8,");
    expect(named.products.map(({ p }) => p)).toEqual([700, 800]);
  });
});

describe("Magento", () => {
  const shirt = { attribute_set_code: "Top", product_online: "1", qty: "100.0000", is_in_stock: "1" };
  test("variants inherit from the product that lists them; parents and translations are no products", async () => {
    const read = await readText(
      table(
        magento,
        {
          ...shirt,
          sku: "T-S",
          product_type: "simple",
          name: "Tee-S",
          price: "20.000000",
          visibility: "Not Visible Individually",
        },
        {
          ...shirt,
          sku: "T-M",
          product_type: "simple",
          name: "Tee-M",
          price: "20",
          special_price: "15",
          special_price_to_date: "2020-01-01",
          visibility: "Not Visible Individually",
        },
        {
          ...shirt,
          sku: "T",
          product_type: "configurable",
          name: "Tee",
          categories: "Default Category/Men,Default Category/Men/Tops",
          base_image: "https://shop.example.com/t.jpg",
          configurable_variations: "sku=T-S,size=S|sku=T-M,size=M",
          visibility: "Catalog, Search",
        },
        { ...shirt, sku: "T-S", store_view_code: "de", product_type: "simple", name: "Hemd" },
        {
          ...shirt,
          sku: "spare",
          product_type: "simple",
          name: "Spare",
          price: "1",
          categories: "Parts",
          visibility: "Not Visible Individually",
        },
        {
          ...shirt,
          sku: "off",
          product_type: "simple",
          name: "Off",
          price: "1",
          categories: "Parts",
          product_online: "2",
          visibility: "Catalog, Search",
        },
      ),
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "magento",
      [
        ["T-S", "Tee-S", "Men > Tops", 2_000, 100, "active"],
        ["T-M", "Tee-M", "Men > Tops", 2_000, 100, "active"],
        ["spare", "Spare", "Parts", 100, 100, "draft"],
        ["off", "Off", "Parts", 100, 100, "draft"],
      ],
    ]);
    expect(read.products[0]).toMatchObject({ u: "https://shop.example.com/t.jpg", g: "T" });
    expect(read.counts).toMatchObject({ rowsRead: 6, skipped: 2, rejected: 0 });
  });
});

describe("images that are file names", () => {
  const images = [
    "/w/b/tee 1.jpg",
    "w/b/tee?.jpg",
    "https://cdn.example.com/t.jpg",
    "http://a.example/t.jpg",
    "javascript:1",
    "",
    "no_selection",
  ];
  const rows = images.map((image, index) => `Tee ${index},t-${index},Tops,10,${image}`);
  const file = ["name,sku,category,price,image", ...rows].join("\n");

  test.each(["https://shop.example.com/media/catalog/product", "https://shop.example.com/media/catalog/product/"])(
    "become URLs below %s",
    async (imageBase) => {
      const read = await readText(file, { imageBase });
      expect(read.products.map(({ u }) => u)).toEqual([
        "https://shop.example.com/media/catalog/product/w/b/tee%201.jpg",
        "https://shop.example.com/media/catalog/product/w/b/tee%3F.jpg",
        "https://cdn.example.com/t.jpg",
        null,
        null,
        null,
        null,
      ]);
      expect(read.problems.map(({ row }) => row)).toEqual([5, 6]);
    },
  );

  test("are reported where their address is not known", async () => {
    const { problems } = await readText(file);
    expect(problems.map(({ row, message }) => `${row} ${message}`).slice(0, 3)).toEqual([
      "2 Image not imported: it is a file name. Enter the address of the images, or use URLs.",
      "3 Image not imported: it is a file name. Enter the address of the images, or use URLs.",
      "5 Image not imported. Use a URL that begins with https://.",
    ]);
  });
});

describe("BigCommerce", () => {
  test("variants follow their product and cost what it costs", async () => {
    const tee = { Name: "Tee", Categories: "Shop/Tops;Sale", Price: "20", "Sale Price": "0.00", "Is Visible": "TRUE" };
    const read = await readText(
      table(
        bigCommerce,
        { Item: "Product", ID: "7", SKU: "T", ...tee, "Inventory Tracking": "none", "Current Stock": "0" },
        { Item: "Variant", SKU: "T-S", Options: "Type=Rectangle|Name=Size|Value=S", "Current Stock": "4" },
        { Item: "Variant", SKU: "T-M", Options: "Type=Rectangle|Name=Size|Value=M", Price: "22" },
        { Item: "Image", "Image URL (Import)": "https://shop.example.com/t.jpg" },
        { Item: "Product", ID: "8", SKU: "M", ...tee, Name: "Mug", "Sale Price": "15", "Is Visible": "FALSE" },
      ),
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "bigcommerce",
      [
        ["T-S", "Tee – S", "Shop > Tops", 2_000, 4, "active"],
        ["T-M", "Tee – M", "Shop > Tops", 2_200, null, "active"],
        ["M", "Mug", "Shop > Tops", 1_500, null, "draft"],
      ],
    ]);
    expect(read.counts).toMatchObject({ rowsRead: 5, staged: 3, skipped: 2, rejected: 0 });
  });

  test("older exports have the product's code as SKU, and price rules are reported", async () => {
    const read = await readText(
      table(
        bigCommerceLegacy,
        {
          "Item Type": "Product",
          "Product ID": "7",
          "Product Name": "Tee",
          "Product Code/SKU": "T",
          Price: "20",
          Category: "Tops",
          "Product Visible?": "Y",
          "Allow Purchases?": "N",
        },
        { "Item Type": "  SKU", "Product Name": "[S]Size=S,[RB]Color=Red", "Product Code/SKU": "T-S-R" },
        { "Item Type": "  Rule", "Product Code/SKU": "T-S-R", Price: "[ADD]5" },
        {
          "Item Type": "Product",
          "Product ID": "8",
          "Product Name": "Mug",
          "Product Code/SKU": "M",
          Price: "9",
          Category: "Cups",
          "Product Visible?": "Y",
          "Allow Purchases?": "Y",
        },
      ),
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "bigcommerce-legacy",
      [
        ["T-S-R", "Tee – S / Red", "Tops", 2_000, null, "draft"],
        ["M", "Mug", "Cups", 900, null, "active"],
      ],
    ]);
    expect(problems(read)).toEqual([
      "warning 4 Price: This price rule is not imported: [ADD]5. Check the variant's price.",
    ]);
  });
});

describe("other store programs", () => {
  test("Square: every row is a variation; stock is the sum of the locations", async () => {
    const read = await readText(
      table(
        square,
        {
          Token: "a",
          "Item Name": "Candle",
          "Variation Name": "Small",
          SKU: "C-S",
          Categories: "Home",
          Price: "12",
          Archived: "N",
          "Current Quantity North": "4",
          "Current Quantity South": "8",
        },
        { Token: "b", "Item Name": "Mug", "Variation Name": "Regular", Categories: "Home", Price: "14", Archived: "Y" },
      ),
      { deriveSku: true },
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "square",
      [
        ["C-S", "Candle – Small", "Home", 1_200, 12, null],
        ["sq-b", "Mug", "Home", 1_400, null, "archived"],
      ],
    ]);
  });

  test("Square: parts of units of several locations are added before they are cut off", async () => {
    const rope = { "Item Name": "Rope", "Variation Name": "Regular", Categories: "Home", Price: "2" };
    const stocked = (SKU: string, north: string, south: string) => ({
      ...rope,
      Token: SKU,
      SKU,
      "Current Quantity North": north,
      "Current Quantity South": south,
    });
    const read = await readText(
      table(square, stocked("R", "3.5", "10.75"), stocked("S", "0.1", "0.2"), stocked("T", "4", "many")),
    );
    expect(read.products.map(({ s, v }) => [s, v])).toEqual([
      ["R", 14],
      ["S", 0],
    ]);
    expect(problems(read)).toEqual(["rejected 4 Current Quantity North: Enter a whole number"]);
  });

  test("Squarespace: rows without an id continue the product above; a sale counts while it is on", async () => {
    const read = await readText(
      table(
        squarespace,
        {
          "Product ID [Non Editable]": "1",
          "Product URL": "tee",
          Title: "Tee",
          SKU: "T-S",
          "Option Value 1": "S",
          Price: "20",
          "Sale Price": "15",
          "On Sale": "No",
          Stock: "Unlimited",
          Categories: "/tops",
          Visible: "Yes",
          "Hosted Image URLs": "https://a.example.com/1.jpg https://a.example.com/2.jpg",
        },
        { SKU: "T-M", "Option Value 1": "M", Price: "20", "Sale Price": "15", "On Sale": "Yes", Stock: "3" },
      ),
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "squarespace",
      [
        ["T-S", "Tee – S", "/tops", 2_000, null, "active"],
        ["T-M", "Tee – M", "/tops", 1_500, 3, "active"],
      ],
    ]);
    expect(read.products[1]).toMatchObject({ u: "https://a.example.com/1.jpg", g: "tee" });
  });

  test("Wix: variants add a surcharge, discounts are taken off, images are on Wix's server", async () => {
    const read = await readText(
      table(
        wix,
        {
          handleId: "tee",
          fieldType: "Product",
          name: "Tee",
          collection: "Tops;Sale",
          price: "20",
          visible: "true",
          discountMode: "PERCENT",
          discountValue: "25",
          inventory: "InStock",
          productImageUrl: "a.jpg;b.jpg",
        },
        {
          handleId: "tee",
          fieldType: "Variant",
          sku: "T-L",
          surcharge: "4",
          inventory: "2",
          productOptionDescription1: "L",
        },
        {
          handleId: "mug",
          fieldType: "Product",
          name: "Mug",
          collection: "Cups",
          price: "10",
          visible: "false",
          inventory: "OutOfStock",
        },
      ),
      { deriveSku: true },
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "wix",
      [
        ["T-L", "Tee – L", "Tops", 1_800, 2, "active"],
        ["mug", "Mug", "Cups", 1_000, 0, "draft"],
      ],
    ]);
    expect(read.products[0]?.u).toBe("https://static.wixstatic.com/media/a.jpg");
  });

  test("PrestaShop: the price with tax, and a discount within its dates", async () => {
    const vase = { "Name *": "Vase", "Categories (x,y,z...)": "Home,Vases", "Active (0/1)": "1", Quantity: "3" };
    const read = await readText(
      table(
        prestaShop,
        {
          ...vase,
          "Product ID": "1",
          "Reference #": "V",
          "Price tax excluded": "20",
          "Discount percent": "10",
          "Discount from (yyyy-mm-dd)": "0000-00-00",
        },
        {
          ...vase,
          "Product ID": "2",
          "Price tax excluded": "20",
          "Discount amount": "5",
          "Discount to (yyyy-mm-dd)": "2020-01-01",
          "Active (0/1)": "0",
        },
      ),
      { deriveSku: true },
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "prestashop",
      [
        ["V", "Vase", "Home", 1_800, 3, "active"],
        ["ps-2", "Vase", "Home", 2_000, 3, "draft"],
      ],
    ]);
  });

  test.each(wooCommerceLocalized)(
    "WooCommerce in %s",
    async (_, { header, sku, name, categories, regular, sale, ends, published }) => {
      const read = await readText(
        csv(
          header,
          rowOf(header, {
            [header[1] ?? ""]: "simple",
            [sku]: "A",
            [name]: "Cap",
            [categories]: "Hats",
            [regular]: "9",
            [sale]: "5",
            [ends]: "2020-01-01",
            [published]: "-1",
          }),
        ),
      );
      expect([read.dialect, briefly(read), read.problems]).toEqual([
        "woocommerce",
        [["A", "Cap", "Hats", 900, null, "draft"]],
        [],
      ]);
    },
  );
});

describe("marketplaces", () => {
  test("Etsy: the SKU comes from the title, the category from the uploader", async () => {
    const read = await readText(
      table(
        etsy,
        {
          TITLE: "Enamel Mug, Blue",
          PRICE: "22.50",
          CURRENCY_CODE: "USD",
          QUANTITY: "5",
          IMAGE1: "https://i.example.com/1.jpg",
        },
        {
          TITLE: "Dice",
          PRICE: "45",
          CURRENCY_CODE: "USD",
          QUANTITY: "6",
          "VARIATION 1 VALUES": "Walnut,Maple",
          SKU: "D-W,D-M",
        },
      ),
      { deriveSku: true, defaultCategory: "Handmade" },
    );
    expect([read.dialect, briefly(read)]).toEqual([
      "etsy",
      [
        ["enamel-mug-blue", "Enamel Mug, Blue", "Handmade", 2_250, 5, null],
        ["D-W", "Dice", "Handmade", 4_500, 6, null],
      ],
    ]);
    expect(problems(read)).toEqual([
      "warning 3 SKU: The row lists 2 variations and is imported as one product with the first SKU",
    ]);
  });

  test("Amazon's inventory file has its header in row 3", async () => {
    const blank = (first: string) => [first, ...amazonFlatFile.slice(1).map(() => "")];
    const items: Values[] = [
      { item_sku: "T", item_name: "Tee", item_type: "shirts", parent_child: "parent" },
      {
        item_sku: "T-S",
        item_name: "Tee (S)",
        parent_child: "child",
        parent_sku: "T",
        standard_price: "20",
        quantity: "4",
        currency: "USD",
      },
      {
        item_sku: "M",
        item_name: "Mug",
        item_type: "cups",
        standard_price: "9",
        sale_price: "7",
        sale_from_date: "2020-01-01",
        sale_end_date: "2020-02-01",
      },
    ];
    const rows = items.map((row) => rowOf(amazonFlatFile, row));
    const text = csv(
      blank("TemplateType=fptcustom"),
      amazonFlatFile.map((name) => `Label of ${name}`),
      amazonFlatFile,
      ...rows,
    );
    const read = await readText(text.replaceAll(",", "\t"));
    expect([read.dialect, read.head.headerRow, briefly(read)]).toEqual([
      "amazon-flat-file",
      3,
      [
        ["T-S", "Tee (S)", "shirts", 2_000, 4, null],
        ["M", "Mug", "cups", 900, null, null],
      ],
    ]);
    expect(read.counts).toMatchObject({ rowsRead: 5, skipped: 3, staged: 2 });
  });

  test.each(amazonReports)("Amazon's listing report in %s", async (_, { header, name, sku, price, status }) => {
    const row = rowOf(header, { [name]: "Mug", [sku]: "M", [price]: "9.50", [status]: "Inactive" });
    const read = await readText([header, row].map((cells) => cells.join("\t")).join("\n"), { defaultCategory: "Cups" });
    expect([read.dialect, briefly(read)]).toEqual(["amazon-report", [["M", "Mug", "Cups", 950, null, "draft"]]]);
  });

  test("eBay: a title above the header, and variations that share their listing's number", async () => {
    const tee = { Title: "Tee", Currency: "USD", "eBay category 1 name": "Tops", "Current price": "19.99" };
    const text = table(
      ebayReport,
      { ...tee, "Item number": "1", "Variation details": "Color=Red;Blue" },
      {
        ...tee,
        "Item number": "1",
        "Variation details": "Color=Red",
        "Custom label (SKU)": "T-R",
        "Available quantity": "2",
      },
      { ...tee, "Item number": "2", Title: "Mug" },
    );
    const read = await readText(`"Seller Hub Reports","Active listings"\n\n${text}`, { deriveSku: true });
    expect([read.dialect, read.head.headerRow, briefly(read)]).toEqual([
      "ebay-report",
      3,
      [
        ["T-R", "Tee – Red", "Tops", 1_999, 2, null],
        ["ebay-2", "Mug", "Tops", 1_999, null, null],
      ],
    ]);
  });

  test("eBay's template names its currency in the first column", async () => {
    const header = [
      "*Action(SiteID=UK|Country=GB|Currency=GBP|Version=1193)",
      "CustomLabel",
      "*Category",
      "*Title",
      "*StartPrice",
      "*Quantity",
    ];
    const read = await readText(csv(header, ["Add", "M", "20625", "Mug", "9.99", "3"]));
    expect(read.dialect).toBe("ebay-template");
    expect(problems(read)).toEqual([
      "warning 1 *Category: Category is read from “*Category”, but its values look like numbers or IDs. Check it.",
      "rejected 2 *StartPrice: This price is in GBP. Use US dollars.",
    ]);
  });
});

describe("a product feed in XML", () => {
  const item = (...elements: string[]) => `<item>${elements.join("\n")}</item>`;
  const rss = (...items: string[]) =>
    `<?xml version="1.0"?><!-- made today --><rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>
    <title>Shop</title><link>https://shop.example.com</link>${items.join("")}</channel></rss>`;

  test("is read like the same feed as a table: an element is a column, and what is inside of one is not", async () => {
    const read = await readFeed(
      rss(
        item(
          "<g:id>A</g:id><title>Mug &amp; lid</title><g:price>12.50 USD</g:price><link>https://a.example.com</link>",
          "<description><![CDATA[<p>Blue</p>]]></description><g:availability>in_stock</g:availability>",
          "<g:shipping><g:price>99 USD</g:price></g:shipping><g:product_type/><g:product_type>Cups</g:product_type>",
          "<g:image_link>https://a.example.com/1.jpg</g:image_link><g:product_type>Other</g:product_type>",
        ),
        item("<g:id>B</g:id><title>Pot</title><g:price>7 EUR</g:price><g:product_type>Tea</g:product_type>"),
        "<item/>",
      ),
    );
    expect([read.dialect, briefly(read)]).toEqual(["merchant-feed", [["A", "Mug & lid", "Cups", 1_250, null, null]]]);
    expect(read.products[0]).toMatchObject({ d: "Blue", u: "https://a.example.com/1.jpg" });
    expect(problems(read)[0]).toBe("rejected 3 price: This price is in EUR. Use US dollars.");
    expect(read.counts).toMatchObject({ rowsRead: 3, staged: 1, rejected: 2 });
  });

  test("has the product's id and title from Google's elements, beside those of an entry and of its media", async () => {
    const product = "<g:price>9 USD</g:price><g:product_type>Cups</g:product_type><g:link>x</g:link>";
    const entry = `<entry><id>tag:shop.example.com,2026:1</id><g:id>A</g:id><title>Mug</title>${product}</entry>`;
    const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="g">${entry}</feed>`;
    const media =
      "<media:title>Photo of a mug</media:title><title>Mug</title><g:id>A</g:id><id>shop-1</id><g:id>B</g:id>";
    for (const feed of [atom, rss(item(media, product))])
      expect(briefly(await readFeed(feed))).toEqual([["A", "Mug", "Cups", 900, null, null]]);
  });

  test("may be Atom, and in UTF-16", async () => {
    const entry = "<entry><g:id>A</g:id><g:title>Mug</g:title><g:price>9 USD</g:price><g:link>x</g:link></entry>";
    const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="g">${entry}</feed>`;
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(atom, "utf16le")]);
    expect([looksLikeFeed(Buffer.from(atom)), looksLikeFeed(utf16)]).toEqual([true, true]);
    for (const bytes of [Buffer.from(atom), utf16])
      expect(briefly(await readFeed(bytes, { defaultCategory: "Cups" }))).toEqual([
        ["A", "Mug", "Cups", 900, null, null],
      ]);
  });

  test.each([
    ["ISO-8859-1", "latin1", "Café 5"],
    ["windows-1252", Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x80]), "Café €"],
    ["Windows-1251", Buffer.from([0xd7, 0xe0, 0xe9]), "Чай"],
    ["utf-16", "utf8", "Café 5"],
    ["us-ascii", "utf8", "Cafe 5"],
  ] as const)("is in the encoding that it names: %s", async (name, written, title) => {
    const [before = "", after = ""] = rss(
      item("<g:id>A</g:id><title>|</title><g:price>9 USD</g:price><g:product_type>Cups</g:product_type><link>x</link>"),
    )
      .replace('version="1.0"', `version="1.0" encoding="${name}"`)
      .split("|");
    const text = typeof written === "string" ? Buffer.from(title, written) : written;
    const read = await readFeed(Buffer.concat([Buffer.from(before), text, Buffer.from(after)]));
    expect(briefly(read)).toEqual([["A", title, "Cups", 900, null, null]]);
  });

  test("in an encoding that is not known is rejected", async () => {
    const named = rss(item("<g:id>A</g:id>")).replace('version="1.0"', 'version="1.0" encoding="EBCDIC-CP-US"');
    await expect(readFeed(named, { piece: 1_000 })).rejects.toThrow(/not in the encoding that it names/);
  });

  test("with entities of its own, cut off or without items is rejected with a reason", async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><item><id>&b;</id></item></rss>`;
    await expect(readFeed(bomb)).rejects.toThrow(/declares a document type/);
    await expect(readFeed(rss(item("<id>1</id>")).slice(0, -20))).rejects.toThrow(/not valid XML/);
    await expect(readFeed(rss())).rejects.toThrow(/has no products/);
    expect(looksLikeFeed(Buffer.from("<?xml version='1.0'?><products/>"))).toBe(false);
    expect(looksLikeFeed(Buffer.from("<rsstool>"))).toBe(false);
  });

  test("is recognized behind any number of blanks, comments and instructions, and other text told apart at once", () => {
    for (const before of [" ", "\n", "<!---->", "<!-- a --> ", "<?a?>\n", "<!--", "<?"]) {
      const many = before.repeat(7_000 / before.length);
      const begun = performance.now();
      expect(looksLikeFeed(Buffer.from(`${many}name,sku`))).toBe(false);
      expect(performance.now() - begun).toBeLessThan(500);
      expect(looksLikeFeed(Buffer.from(`${many}<rss>`))).toBe(!/^<(?:!--|\?)$/.test(before));
    }
  });
});

describe("a table of no known program", () => {
  const german =
    "Preisliste Herbst 2026;;;\n\nArtikelnr.;Bezeichnung;Warengruppe;Verkaufspreis;Bestand\nA1;Kanne;Tee;12,50;3\n";

  test("has its header found below a title, and its columns guessed in its language", async () => {
    const read = await readText(german);
    expect([read.dialect, read.head.headerRow, briefly(read)]).toEqual([
      "other",
      3,
      [["A1", "Kanne", "Tee", 1_250, 3, null]],
    ]);
    expect([...read.plan.guessed].sort()).toEqual(["category", "inventory", "name", "price", "sku"]);
    expect(read.counts).toMatchObject({ rowsRead: 2, skipped: 1, staged: 1 });
  });

  test.each([
    ["French", "Référence,Désignation,Famille,Prix TTC,Quantité"],
    ["Spanish", "Código,Nombre,Categoría,Precio,Existencias"],
    ["Italian", "Codice articolo,Nome,Categoria,Prezzo,Giacenza"],
    ["Dutch", "Artikelcode,Productnaam,Categorie,Verkoopprijs,Voorraad"],
    ["Portuguese", "Referência,Nome do produto,Categoria,Preço,Estoque"],
    ["Polish", "Kod produktu,Nazwa,Kategoria,Cena brutto,Ilość"],
    ["Russian", "Артикул,Наименование,Категория,Цена,Остаток"],
    ["Japanese", "商品コード,商品名,カテゴリ,価格,在庫数"],
  ])("is guessed in %s", async (_, header) => {
    expect(briefly(await readText(`${header}\nA1,Kanne,Tee,12.50,3\n`))).toEqual([
      ["A1", "Kanne", "Tee", 1_250, 3, null],
    ]);
  });

  test("is read from the row that is chosen as the header", async () => {
    const read = await readText("a,b,c,d\nname,sku,category,price\nPot,1,Tea,2\n", { headerRow: 1 });
    expect([read.dialect, read.head.headerRow, read.missing]).toEqual([
      "other",
      1,
      ["name", "sku", "category", "price"],
    ]);
    expect(read.head.firstRows.map(({ row, text }) => `${row}: ${text}`)).toEqual([
      "1: a, b, c, d",
      "2: name, sku, category, price",
      "3: Pot, 1, Tea, 2",
    ]);
  });

  test("warns of guesses that look odd", async () => {
    const rows = Array.from(
      { length: 6 },
      (_, index) => `P${index},${index},simple,${100 + index},${index + 9}\n`,
    ).join("");
    const read = await readText(`title,item no,type,department,price\n${rows}`);
    expect(problems(read)).toEqual([
      "warning 1 type: Category was guessed to be “type”, but all rows have the same value, “simple”. Check it.",
    ]);
    const ids = await readText(`title,item no,department,price\n${rows.replaceAll("simple,", "")}`);
    expect(problems(ids)).toEqual([
      "warning 1 department: Category is read from “department”, but its values look like numbers or IDs. Check it.",
    ]);
    const chosen = await readText(`title,item no,type,department,price\n${rows}`, { chosen: { category: "type" } });
    expect(chosen.problems).toEqual([]);
  });
});

test("no row is neither imported nor reported, whatever the program and the cells", async () => {
  const words = [
    "",
    "1",
    "A,B",
    "parent",
    "child",
    "variant",
    "variation",
    "configurable",
    "SKU",
    "9.99",
    "EUR 5",
    "2026-01-01",
    "x=1;2",
    "simple",
    "-1",
  ];
  const cell = fc.constantFrom(...words);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...dialects),
      fc.array(fc.array(cell, { minLength: 3, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (dialect, rows, deriveSku) => {
        const names = Object.values(dialectTable[dialect].columns).flatMap((one) => one.slice(0, 1));
        const header = names.length > 0 ? [...new Set(names)] : ["title", "item no", "category", "price"];
        const cells = rows.map((row) => ["row", ...header.map((_, index) => row[index % row.length] ?? "")]);
        const { counts, products, problems: found } = await readText(csv(["line", ...header], ...cells), { deriveSku });
        expect(counts.rowsRead).toBe(rows.length);
        expect(counts.staged + counts.skipped + counts.rejected).toBe(rows.length);
        expect(products).toHaveLength(counts.staged);
        expect(new Set(found.filter(({ kind }) => kind === "rejected").map(({ row }) => row)).size).toBe(
          counts.rejected,
        );
      },
    ),
    { numRuns: 150 },
  );
});
