import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { merchantFeed, shopifyLegacy, shopifyNew, template, wooCommerce } from "./support/headers.ts";
import { csv, readText, rowOf } from "./support/reading.ts";

const summarize = ({ s, n, c, p, v }: { s: string; n: string; c: string; p: number; v: number | null }) => [
  s,
  n,
  c,
  p,
  v,
];
const describeIssue = ({
  kind,
  row,
  column,
  message,
}: {
  kind: string;
  row: number;
  column: string;
  message: string;
}) => `${kind} ${row} ${column}: ${message}`;

test("a table with too many rows is rejected before any of them is stored", async () => {
  const text = `Name,SKU,Category,Price\n${"Kettle,K-1,Kitchen,49.90\n".repeat(250_001)}`;
  await expect(readText(text, { piece: 1_000_000 })).rejects.toThrow(/250,000 rows/);
});

describe("our own template", () => {
  const rows = (...values: Record<string, string>[]) => csv(template, ...values.map((one) => rowOf(template, one)));
  const kettle = { name: "Kettle", sku: "K-1", category: "Kitchen", price: "49.90" };

  test("is read completely", async () => {
    const read = await readText(
      rows({
        ...kettle,
        description: "Two\nlines",
        inventory: "1,200",
        image_url: "https://cdn.example.com/a.png",
        brand: "Stelton",
        group: "kettles",
        status: "Archived",
      }),
    );
    expect([read.dialect, read.counts.rowsRead, read.problems]).toEqual(["template", 1, []]);
    expect(read.products).toEqual([
      {
        i: expect.stringMatching(/^[0-9a-f-]{36}$/),
        r: 2,
        s: "K-1",
        n: "Kettle",
        c: "Kitchen",
        p: 4_990,
        d: "Two\nlines",
        v: 1_200,
        u: "https://cdn.example.com/a.png",
        b: "Stelton",
        g: "kettles",
        t: "archived",
      },
    ]);
  });

  test("is strict: required columns are required, whatever is chosen", async () => {
    const read = await readText(rows({ name: "No SKU" }, { ...kettle, category: "" }), {
      deriveSku: true,
      defaultCategory: "Other",
    });
    expect(read.problems.map(describeIssue)).toEqual([
      "rejected 2 sku: SKU is missing",
      "rejected 2 category: Category is missing",
      "rejected 2 price: Price is missing",
      "rejected 3 category: Category is missing",
    ]);
    expect(read.counts).toMatchObject({ rowsRead: 2, staged: 0, rejected: 2, derivedSkus: 0, defaultCategories: 0 });
  });

  test("is recognized in another case and order, and with a byte-order mark", async () => {
    const read = await readText("\ufeffPRICE;Category;Sku;Name;Image URL\r\n12,50;Tea;T-1;Pot;\r\n");
    expect([read.dialect, read.products.map(summarize)]).toEqual(["template", [["T-1", "Pot", "Tea", 1_250, null]]]);
  });

  test("with a byte-order mark is read although single cells are not UTF-8, and says which", async () => {
    const text = Buffer.from("\xef\xbb\xbfname,sku,category,price\nCaf\xe9,1,Tea,2\nPot,2,Tea,3\n", "latin1");
    const read = await readText(text);
    expect(read.products.map(({ n }) => n)).toEqual(["Café", "Pot"]);
    expect(read.problems.map(describeIssue)).toEqual([
      "warning 2 : Some of this row is not UTF-8 and was read as Windows-1252. Check its letters.",
    ]);
  });

  test("is read back without the prefixes that our own export added", async () => {
    const read = await readText(rows({ ...kettle, sku: "'+1", name: "'=SUM(A1)" }, { ...kettle, sku: "'quoted'" }));
    expect(read.products.map(({ s, n }) => [s, n])).toEqual([
      ["+1", "=SUM(A1)"],
      ["'quoted'", "Kettle"],
    ]);
  });

  test("reports for each row what is wrong, where, and reads the others", async () => {
    const read = await readText(
      rows(
        kettle,
        { ...kettle, sku: "K-1" },
        { ...kettle, sku: "3.65275E+11" },
        { ...kettle, sku: "K-3", price: "-1" },
        { ...kettle, sku: "K-4", inventory: "-3" },
        { ...kettle, sku: "K-5", inventory: "some" },
        { ...kettle, sku: "x".repeat(101) },
        { ...kettle, sku: "K-6", image_url: "javascript:alert(1)" },
        { ...kettle, sku: "K-7", description: "x".repeat(6_000) },
        { ...kettle, sku: "K-8", name: "Bell\u0007" },
        { ...kettle, sku: "K-9", name: "\u200b\u3164" },
        { ...kettle, sku: "\u202eK-1\u200b" },
      ),
    );
    expect(read.products.map(({ r, u, d }) => [r, u, d?.length ?? 0])).toEqual([
      [2, null, 0],
      [4, null, 0],
      [9, null, 0],
      [10, null, 5_000],
    ]);
    expect(read.problems.map(describeIssue)).toEqual([
      "rejected 3 sku: Duplicate SKU K-1: already used in row 2",
      "warning 4 sku: A spreadsheet changed this number to scientific notation: 3.65275E+11. Format the column as text.",
      "rejected 5 price: Price can't be negative",
      "rejected 6 inventory: Inventory can't be negative",
      "rejected 7 inventory: Enter a whole number",
      "rejected 8 sku: Use at most 100 characters",
      "warning 9 image_url: Image not imported. Use a URL that begins with https://.",
      "warning 10 description: Description shortened to 5,000 characters",
      "rejected 11 name: Remove invisible control characters",
      "rejected 12 name: Product name is missing",
      "rejected 13 sku: Duplicate SKU K-1: already used in row 2",
    ]);
    expect(read.counts).toMatchObject({ rowsRead: 12, staged: 4, rejected: 8, warned: 3, skipped: 0 });
  });

  test("rejects a row with more or fewer cells, never shifts it, and continues", async () => {
    const read = await readText(
      ["name,sku,category,price", "A,1,Tea,1,extra", "B,2,Tea", "", '"C\n2",3,Tea,3', ",,,", "D,4,Tea,4"].join("\n"),
    );
    expect(read.problems.map(({ row, message }) => [row, message])).toEqual([
      [2, "Row 2 has 5 cells, but the header has 4"],
      [3, "Row 3 has 3 cells, but the header has 4"],
    ]);
    expect(read.products.map(({ r, n }) => [r, n])).toEqual([
      [5, "C 2"],
      [7, "D"],
    ]);
    expect(read.counts.rowsRead).toBe(4);
  });

  test("reads ambiguous prices as the rest of their column shows", async () => {
    const price = async (...prices: string[]) =>
      (
        await readText(rows(...prices.map((one, index) => ({ ...kettle, sku: `K-${index}`, price: one }))))
      ).products.map(({ p }) => p);
    expect(await price("1,800", "12.50")).toEqual([180_000, 1_250]);
    expect(await price("1,800", "12,50")).toEqual([180, 1_250]);
    expect(await price("1,800", "12")).toEqual([1_200]);
    expect(await price("1,800", "12,50", "12.50")).toEqual([1_250, 1_250]);
  });
});

describe.each([
  ["shopify-legacy", shopifyLegacy],
  ["shopify-new", shopifyNew],
] as const)("a %s export", (dialect, header) => {
  const old = dialect === "shopify-legacy";
  const named = (values: Record<string, string>) =>
    rowOf(
      header,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [(old && names[name]) || name, value])),
    );
  const names: Record<string, string> = {
    "URL handle": "Handle",
    Description: "Body (HTML)",
    "Product category": "Product Category",
    "Option1 value": "Option1 Value",
    "Option2 value": "Option2 Value",
    SKU: "Variant SKU",
    Price: "Variant Price",
    Barcode: "Variant Barcode",
    "Inventory tracker": "Variant Inventory Tracker",
    "Inventory quantity": "Variant Inventory Qty",
    "Variant image URL": "Variant Image",
    "Product image URL": "Image Src",
  };
  const tee = {
    Title: "Galaxy Tee",
    "URL handle": "galaxy-tee",
    Description: "<p>Soft &amp; heavy.</p>",
    Vendor: "Sahra",
    "Product category": "Apparel > T-Shirts",
    Type: "Shirts",
    "Option1 value": "S",
    "Option2 value": "Regular",
    SKU: "T-S",
    Price: "149",
    "Inventory tracker": "shopify",
    "Inventory quantity": "25",
    "Product image URL": "https://cdn.example.com/front.jpg",
  };

  test("creates a product for each variant, which inherits from the first row", async () => {
    const read = await readText(
      csv(
        header,
        named(tee),
        named({
          "URL handle": "galaxy-tee",
          "Option1 value": "M",
          SKU: "T-M",
          Price: "149",
          "Inventory tracker": "shopify",
          "Inventory quantity": "-2",
        }),
        named({ "URL handle": "galaxy-tee", "Product image URL": "https://cdn.example.com/back.jpg" }),
        named({
          Title: "Mug",
          "URL handle": "mug",
          Type: "Kitchen",
          "Option1 value": "Default Title",
          SKU: "M",
          Price: "9",
          "Inventory quantity": "0",
        }),
      ),
    );
    expect(read.dialect).toBe(dialect);
    expect(read.products.map(summarize)).toEqual([
      ["T-S", "Galaxy Tee – S / Regular", "Apparel > T-Shirts", 14_900, 25],
      ["T-M", "Galaxy Tee – M", "Apparel > T-Shirts", 14_900, 0],
      ["M", "Mug", "Kitchen", 900, null],
    ]);
    const [, second, third] = read.products;
    expect(second).toMatchObject({
      d: "Soft & heavy.",
      b: "Sahra",
      g: "galaxy-tee",
      u: "https://cdn.example.com/front.jpg",
    });
    expect(third).toMatchObject({ d: null, b: null, u: null });
    expect(read.problems.map(describeIssue)).toEqual([
      `warning 3 ${old ? "Variant Inventory Qty" : "Inventory quantity"}: -2 was imported as 0 (oversold)`,
    ]);
    expect(read.counts).toMatchObject({ rowsRead: 4, staged: 3, skipped: 1, rejected: 0 });
  });

  test("has a variant's own image, otherwise the product's first, and no other of the product", async () => {
    const image = (name: string) => `https://cdn.example.com/${name}.jpg`;
    const variant = (SKU: string, own: string, ofProduct: string) =>
      named({
        "URL handle": "galaxy-tee",
        "Option1 value": SKU,
        SKU,
        Price: "149",
        "Variant image URL": own && image(own),
        "Product image URL": ofProduct && image(ofProduct),
      });
    const rows = [
      named({ ...tee, "Variant image URL": image("small") }),
      variant("T-M", "", "back"),
      variant("T-L", "large", "large"),
      variant("T-XL", "", ""),
    ];
    const read = await readText(csv(header, ...rows));
    expect(read.products.map(({ u }) => u)).toEqual([image("small"), image("front"), image("large"), image("front")]);
    const late = [named({ ...tee, "Product image URL": "" }), variant("T-M", "", "back"), variant("T-L", "", "side")];
    const found = await readText(csv(header, ...late));
    expect(found.products.map(({ u }) => u)).toEqual([null, image("back"), image("back")]);
    const chosen = await readText(csv(header, ...rows), { chosen: { image: old ? "Image Src" : "Product image URL" } });
    expect(chosen.products.map(({ u }) => u)).toEqual([image("front"), image("back"), image("large"), image("front")]);
  });

  test("has its quantity where nobody says whether it is tracked", async () => {
    const tracker = header.findIndex((name) => /inventory tracker/i.test(name));
    const trimmed = (row: readonly string[]) => row.filter((_, index) => index !== tracker);
    const read = await readText(csv(trimmed(header), trimmed(named({ ...tee, "Inventory quantity": "0" }))));
    expect(read.products.map(({ v }) => v)).toEqual([0]);
  });

  test("without SKU or category is rejected, or completed when that is chosen", async () => {
    const bare = { ...tee, SKU: "", "Product category": "", Type: "" };
    const text = csv(
      header,
      named(bare),
      named({ "URL handle": "galaxy-tee", "Option1 value": "Größe M", Price: "149", Barcode: "3.65275E+11" }),
      named({ Title: "Mug", "URL handle": "mug", "Option1 value": "Default Title", Price: "9" }),
    );
    const strict = await readText(text);
    expect(strict.counts).toMatchObject({ rowsRead: 3, staged: 0, rejected: 3 });
    expect(strict.problems.map(({ message }) => message)).toContain(
      "SKU is missing. Turn on “Generate a SKU” to create one.",
    );
    const withDefaults = await readText(text, { deriveSku: true, defaultCategory: "Unsorted" });
    expect(withDefaults.products.map(({ s, c }) => [s, c])).toEqual([
      ["galaxy-tee-s-regular", "Unsorted"],
      ["galaxy-tee-große-m", "Unsorted"],
      ["mug", "Unsorted"],
    ]);
    expect(withDefaults.counts).toMatchObject({ staged: 3, derivedSkus: 3, defaultCategories: 3, warned: 1 });
    expect(withDefaults.problems.map(describeIssue)).toEqual([
      `warning 3 ${old ? "Variant Barcode" : "Barcode"}: A spreadsheet changed this number to scientific notation: 3.65275E+11. Format the column as text.`,
    ]);
  });

  test("with a variant whose product does not precede it is rejected at that row", async () => {
    const read = await readText(
      csv(header, named(tee), named({ "URL handle": "other", "Option1 value": "M", SKU: "X", Price: "1" })),
    );
    expect(read.problems.map(({ row, message }) => [row, message])).toEqual([
      [3, "Product name is missing"],
      [3, "Category is missing"],
    ]);
  });
});

describe("a WooCommerce export", () => {
  const named = (values: Record<string, string>) => rowOf(wooCommerce, values);
  const hoodie = {
    ID: "742",
    Type: "variable",
    SKU: "hoodie",
    Name: "Hoodie",
    Description: "Warm.\\nAnd soft.",
    "In stock?": "1",
    Categories: "Clothing > Hoodies, Sale",
    Images: "https://cdn.example.com/red.png, https://cdn.example.com/blue.png",
    Brands: "North",
  };

  test("skips parents, and their variations inherit missing values", async () => {
    const read = await readText(
      csv(
        wooCommerce,
        named(hoodie),
        named({ ID: "1", Type: "grouped", SKU: "set", Name: "Set", "In stock?": "1", Categories: "Sets" }),
        named({
          ID: "2",
          Type: "variation",
          SKU: "hoodie-red",
          Name: "Hoodie - Red",
          "In stock?": "1",
          "Regular price": "45",
          "Sale price": "42.5",
          Parent: "hoodie",
        }),
        named({
          ID: "3",
          Type: "variation",
          SKU: "hoodie-blue",
          Name: "Hoodie - Blue",
          "In stock?": "0",
          "Regular price": "45",
          Parent: "id:742",
        }),
        named({
          ID: "4",
          Type: "simple, virtual",
          SKU: "album",
          Name: "Album",
          "In stock?": "1",
          Stock: "7",
          "Regular price": "15",
          Categories: "Music\\, Film, Sale",
          "Short description": "Short.",
        }),
        named({ ID: "5", Type: "simple", SKU: "nothing", Name: "No price", "In stock?": "1", Categories: "Music" }),
      ),
    );
    expect(read.dialect).toBe("woocommerce");
    expect(read.products.map(summarize)).toEqual([
      ["hoodie-red", "Hoodie - Red", "Clothing > Hoodies", 4_250, null],
      ["hoodie-blue", "Hoodie - Blue", "Clothing > Hoodies", 4_500, 0],
      ["album", "Album", "Music, Film", 1_500, 7],
    ]);
    const [red, , album] = read.products;
    expect(red).toMatchObject({ d: "Warm.\nAnd soft.", u: "https://cdn.example.com/red.png", b: "North", g: "hoodie" });
    expect(album).toMatchObject({ d: "Short.", g: null });
    expect(read.problems.map(describeIssue)).toEqual(["rejected 7 Regular price: Price is missing"]);
    expect(read.counts).toMatchObject({ rowsRead: 6, staged: 3, skipped: 2, rejected: 1 });
  });

  test("is read without the apostrophes that WooCommerce puts before signs", async () => {
    const cap = { Type: "simple", "Regular price": "9", Categories: "'@home", Stock: "'-3" };
    const read = await readText(
      csv(
        wooCommerce,
        named({ ...cap, SKU: "'-RED", Name: "'+1 Cap" }),
        named({ ...cap, SKU: "'quoted'", Name: "'70s cap" }),
      ),
    );
    expect(read.products.map(summarize)).toEqual([
      ["-RED", "+1 Cap", "@home", 900, 0],
      ["'quoted'", "'70s cap", "@home", 900, 0],
    ]);
  });

  test("has whole units of a stock that counts parts of them", async () => {
    const sold = (Stock: string) =>
      named({ Type: "simple", SKU: Stock, Name: "Ribbon", Stock, "Regular price": "9", Categories: "Crafts" });
    const read = await readText(csv(wooCommerce, ...["12.5", "0.75", "3.0000", "1.200"].map(sold)));
    expect(read.products.map(({ s, v }) => [s, v])).toEqual([
      ["12.5", 12],
      ["0.75", 0],
      ["3.0000", 3],
    ]);
    expect(read.problems.map(describeIssue)).toEqual(["rejected 5 Stock: Enter a whole number"]);
    const inCommas = (Stock: string) =>
      named({ Type: "simple", SKU: Stock, Name: "Ribbon", Stock, "Regular price": "9,50", Categories: "Crafts" });
    const german = await readText(csv(wooCommerce, ...["12.5", "0.125", "-2.25", "12,5", "1.200"].map(inCommas)));
    expect(german.products.map(({ s, v }) => [s, v])).toEqual([
      ["12.5", 12],
      ["0.125", 0],
      ["-2.25", 0],
      ["12,5", 12],
      ["1.200", 1_200],
    ]);
  });

  test("has variations of subscriptions, a kind of WooCommerce's plugin", async () => {
    const read = await readText(
      csv(
        wooCommerce,
        named({ ...hoodie, Type: "variable-subscription", Name: "Box", SKU: "box" }),
        named({
          Type: "subscription_variation",
          SKU: "box-m",
          Name: "Box - Monthly",
          "Regular price": "9",
          Parent: "box",
        }),
      ),
    );
    expect([read.products.map(summarize), read.problems]).toEqual([
      [["box-m", "Box - Monthly", "Clothing > Hoodies", 900, null]],
      [],
    ]);
  });

  test("has categories and brands as people see them, though WordPress escapes their names", async () => {
    const cap = { Type: "simple", SKU: "C", Name: "Cap", "Regular price": "9" };
    const read = await readText(
      csv(wooCommerce, named({ ...cap, Categories: "Home &amp; Garden > B&B, Sale", Brands: "Marks &#038; Co" })),
    );
    expect(read.products.map(({ c, b }) => [c, b])).toEqual([["Home & Garden > B&B", "Marks & Co"]]);
  });

  test("has the name of a brand below another, as its API does", async () => {
    const cap = { Type: "simple", SKU: "C", Name: "Cap", "Regular price": "9", Categories: "Hats" };
    const read = await readText(csv(wooCommerce, named({ ...cap, Brands: "Alpine > Alpine &gt; Kids\\, Co, Other" })));
    expect(read.products.map(({ b }) => b)).toEqual(["Alpine > Kids, Co"]);
  });

  test("has the product's stock for variations that share it", async () => {
    const sized = (SKU: string, Stock: string, Parent: string) =>
      named({ Type: "variation", SKU, Name: SKU, "In stock?": "1", Stock, "Regular price": "45", Parent });
    const read = await readText(
      csv(
        wooCommerce,
        named({ ...hoodie, Stock: "12" }),
        named({ ...hoodie, ID: "743", SKU: "tee" }),
        sized("hoodie-s", "parent", "hoodie"),
        sized("hoodie-m", "3", "hoodie"),
        sized("hoodie-l", "", "hoodie"),
        sized("tee-s", "parent", "tee"),
      ),
    );
    expect(read.products.map(({ s, v }) => [s, v])).toEqual([
      ["hoodie-s", 12],
      ["hoodie-m", 3],
      ["hoodie-l", null],
      ["tee-s", null],
    ]);
    expect(read.problems).toEqual([]);
  });

  test("in another case, and without SKUs, is recognized and completed", async () => {
    const header = wooCommerce.map((name) => name.toUpperCase());
    const row = rowOf(wooCommerce, { ID: "743", Type: "simple", Name: "Cap", "Regular price": "1.800,00" });
    const read = await readText(csv(header, row), { deriveSku: true, defaultCategory: "Hats" });
    expect([read.dialect, read.products.map(summarize)]).toEqual([
      "woocommerce",
      [["wc-743", "Cap", "Hats", 180_000, null]],
    ]);
  });

  test("finds a parent after its variation", async () => {
    const variation = { Type: "variation", SKU: "v", Name: "V", "Regular price": "1", Parent: "hoodie" };
    const read = await readText(csv(wooCommerce, named(variation), named(hoodie)));
    expect(read.products.map(({ c }) => c)).toEqual(["Clothing > Hoodies"]);
  });
});

describe("a merchant feed", () => {
  const item = {
    id: "TV_123",
    title: "Google TV",
    description: "A television",
    link: "https://shop.example.com/tv",
    image_link: "https://shop.example.com/tv.jpg",
    availability: "in_stock",
    price: "19.99 USD",
    brand: "Google",
    product_type: "Electronics > TVs",
  };
  const feed = (...items: Record<string, string>[]) =>
    csv(merchantFeed, ...items.map((one) => rowOf(merchantFeed, one))).replaceAll(",", "\t");

  test("is read with tabs, sale prices and availability texts", async () => {
    const read = await readText(
      feed(
        item,
        { ...item, id: "2", sale_price: "15.00 USD", availability: "out of stock" },
        { ...item, id: "3", product_type: "", google_product_category: "Electronics" },
        { ...item, id: "4", price: "19.99 EUR", availability: "many" },
      ),
    );
    expect(read.dialect).toBe("merchant-feed");
    expect(read.products.map(summarize)).toEqual([
      ["TV_123", "Google TV", "Electronics > TVs", 1_999, null],
      ["2", "Google TV", "Electronics > TVs", 1_500, 0],
      ["3", "Google TV", "Electronics", 1_999, null],
    ]);
    expect(read.problems.map(describeIssue)).toEqual([
      "rejected 5 price: This price is in EUR. Use US dollars.",
      "rejected 5 availability: Enter a whole number",
    ]);
  });
});

describe("another table", () => {
  const text = "Product Title|Item No.|Dept|Retail Price (USD)|Qty|Manufacturer\nPot|1|Tea|$ 12|3|Stelton\n";

  test("is read by the likely names of its columns", async () => {
    const read = await readText(text);
    expect([read.dialect, read.missing]).toEqual(["other", ["category"]]);
    const chosen = { category: "Dept" };
    const mapped = await readText(text, { chosen });
    expect([mapped.missing, mapped.products]).toMatchObject([
      [],
      [{ s: "1", n: "Pot", c: "Tea", p: 1_200, v: 3, b: "Stelton" }],
    ]);
  });

  test("is read by the chosen columns; a chosen column that the table lacks counts as not chosen", async () => {
    const chosen = { category: "Dept", name: "Manufacturer", inventory: null, sku: "No such column" };
    const read = await readText(text, { chosen });
    expect(read.products).toMatchObject([{ n: "Stelton", s: "1", v: null }]);
  });

  test("reports which column it reads when two have the same name", async () => {
    const read = await readText("name,sku,category,price,price\nPot,1,Tea,1,2");
    expect(read.products.map(({ p }) => p)).toEqual([100]);
    expect(read.problems.map(describeIssue)).toEqual([
      "warning 1 price: Duplicate column. Only the first one is imported.",
    ]);
  });
});

test.each([
  ["12,50", ["1.000", "12,000", "5,0", "1.234.567", "7", "-3", "1.5"], [1_000, 12, 5, 1_234_567, 7]],
  ["12.50", ["1,000", "12.000", "5.0", "1,234,567", "7", "-3", "1,5"], [1_000, 12, 5, 1_234_567, 7]],
])("inventory has the separators that the prices show: %s", async (price, inventory, expected) => {
  const rows = inventory.map((count, at) => `Pot\tP-${at}\tTea\t${price}\t${count}`);
  const read = await readText(["name\tsku\tcategory\tprice\tinventory", ...rows].join("\n"));
  expect(read.products.map(({ v }) => v)).toEqual(expected);
  expect(read.problems.map(describeIssue)).toEqual([
    expect.stringContaining("inventory: Inventory can't be negative"),
    expect.stringContaining("inventory: Enter a whole number"),
  ]);
});

test("characters without width are no part of a name, a SKU or a category", async () => {
  const read = await readText("name,sku,category,price\nPot\u200b 👩‍🍳,P\u00ad-1,\u2060Tea,12\nPot,P-1\ufeff,Tea,12\n");
  expect(read.products.map(summarize)).toEqual([["P-1", "Pot 👩‍🍳", "Tea", 1_200, null]]);
  expect(read.problems.map(describeIssue)).toEqual(["rejected 3 sku: Duplicate SKU P-1: already used in row 2"]);
});

test("a cell that is a formula of a text alone is that text", async () => {
  const rows = ['="Pot ""Big""",="00742",="Tea",="12.50"', '"=""Mug""","=""00743""",Tea,9', '="A"&"B",="",Tea,1'];
  const read = await readText(["name,sku,category,price", ...rows].join("\n"));
  expect(read.products.map(summarize)).toEqual([
    ["00742", 'Pot "Big"', "Tea", 1_250, null],
    ["00743", "Mug", "Tea", 900, null],
  ]);
  expect(read.problems.map(describeIssue)).toEqual(["rejected 4 sku: SKU is missing"]);
});

test("a SKU that a spreadsheet may have made a date of is imported with a warning", async () => {
  const skus = ["1-Mar", "Mar-01", "2026-03-12", "12-Mar-26", "MAR-1", "12-03", "20260312", "1-March"];
  const read = await readText(["name,sku,category,price", ...skus.map((sku) => `Pot,${sku},Tea,12`)].join("\n"));
  expect(read.products.map(({ s }) => s)).toEqual(skus);
  expect(read.problems.map(describeIssue)).toEqual(
    skus
      .slice(0, 4)
      .map(
        (sku, at) =>
          `warning ${at + 2} sku: A spreadsheet may have changed this SKU to a date: ${sku}. Format the column as text.`,
      ),
  );
});

test("a cell with an error of a spreadsheet is no name, SKU or category", async () => {
  const rows = ["Pot,1,#N/A,12", "#REF!,2,Tea,12", "Pot,#¿NOMBRE?,Tea,12", "#1 Mug,#5,#N/A sale,12"];
  const read = await readText(["name,sku,category,price", ...rows].join("\n"));
  expect(read.products.map(summarize)).toEqual([["#5", "#1 Mug", "#N/A sale", 1_200, null]]);
  const message = (error: string) => `${error} is a spreadsheet error. Correct the formula and upload the file again.`;
  expect(read.problems.map(describeIssue)).toEqual([
    `rejected 2 category: ${message("#N/A")}`,
    `rejected 3 name: ${message("#REF!")}`,
    `rejected 4 sku: ${message("#¿NOMBRE?")}`,
  ]);
});

test.each([
  ["", "The file is empty. Choose another file."],
  ["\n\n  \n", "The file is empty. Choose another file."],
  [`${"a,".repeat(1_500)}a`, "The file has more than 1,000 columns"],
])("a file of %j is rejected with a message", async (text, errorMessage) => {
  await expect(readText(text, { piece: 1_000 })).rejects.toThrow(errorMessage);
});

const real = resolve(import.meta.dirname, "../../../../shared/data/catalogs");
const expectedSchema = z.record(
  z.string(),
  z.object({ dialect: z.string(), header_columns: z.number(), data_rows: z.number() }).catchall(z.unknown()),
);

describe.skipIf(!existsSync(real))("real exports", () => {
  const expected = existsSync(real)
    ? expectedSchema.parse(JSON.parse(readFileSync(resolve(real, "expected.json"), "utf8")))
    : {};
  const open = (name: string, asked = {}) => readText(readFileSync(resolve(real, name)), { piece: 4_096, ...asked });

  test.each(Object.keys(expected))("%s has its known counts", async (name) => {
    const known = expected[name];
    const read = await open(name, { deriveSku: true, defaultCategory: "Other" });
    expect([read.dialect, read.head.header.length, read.counts.rowsRead]).toEqual([
      known?.dialect,
      known?.header_columns,
      known?.data_rows,
    ]);
    const importable = known?.importable_variant_rows ?? known?.importable_rows;
    expect(read.counts.staged).toBe(importable);
    expect(read.counts.rejected).toBe(known?.rejected_ragged_rows ?? 0);
    expect(read.counts.skipped).toBe(known?.image_only_rows_to_skip ?? known?.skipped_parent_or_unpriced);
    expect(read.counts.derivedSkus).toBe(known?.rows_needing_derived_sku ?? known?.importable_without_sku);
    expect(read.counts.defaultCategories).toBe(known?.rows_without_category ?? 0);
    if (known?.stock_unknown_but_in_stock) {
      expect(read.products.filter(({ v }) => v === null)).toHaveLength(Number(known.stock_unknown_but_in_stock));
    }
    if (known?.products_by_handle) {
      expect(new Set(read.products.map(({ g }) => g)).size).toBe(known.products_by_handle);
    }
  });
});
