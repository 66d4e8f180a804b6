import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { utils, write } from "@e965/xlsx";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import iconv from "iconv-lite";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { dropApostrophe, keepApostrophe } from "#app/domain/catalog/apostrophes.ts";
import { exportProducts } from "#app/domain/catalog/export-products.server.ts";
import { defaultImportSettings, importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { commitImport } from "#app/domain/catalog/imports/commit-import.server.ts";
import { discardImport } from "#app/domain/catalog/imports/discard-import.server.ts";
import { getImport } from "#app/domain/catalog/imports/get-import.server.ts";
import { failImport, getImportRow } from "#app/domain/catalog/imports/import-rows.server.ts";
import { listImports } from "#app/domain/catalog/imports/list-imports.server.ts";
import { receiveImport } from "#app/domain/catalog/imports/receive-import.server.ts";
import { remapImport } from "#app/domain/catalog/imports/remap-import.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import { listStaged } from "#app/domain/catalog/imports/staged-rows.server.ts";
import { purgeImportProblems, sweepImports } from "#app/domain/catalog/imports/sweep-imports.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import type { Ctx, JobActor, TenantActor } from "#app/domain/context.ts";
import { type ImportId, newId } from "#app/domain/ids.ts";
import { escapeFormula } from "#app/web/csv.ts";
import { auditEntries, productImportBatches, productImportChunks, productImports, products } from "#db/schema/index.ts";
import { sheetXml, workbook, workbookOf } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { committed, ended, problemsOf, sendFile } from "./support/an-import.ts";
import { shopifyLegacy, wooCommerce } from "./support/headers.ts";
import { csv, rowOf } from "./support/reading.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  await db().delete(products);
});

const header = "name,sku,category,price,description,inventory,image_url,brand";
const potsCsv = (count: number, price = "12.50") =>
  [
    header,
    ...Array.from({ length: count }, (_, index) => `Pot ${index},P-${index},Tea,${price},,${index},,Stelton`),
  ].join("\n");
const skus = async (by: Ctx<TenantActor> = world.harbor) =>
  (await listProducts(by, { limit: 500 })).rows.map(({ sku, priceCents, inventory }) => [sku, priceCents, inventory]);

/** The beginning of a file whose sender disconnects. */
async function* cutOff() {
  yield Buffer.from("name,sku");
  throw Object.assign(new Error("aborted"), { name: "AbortError" });
}

describe("an import", () => {
  test("is a preview first, which shows the effect of each row, and then a commit", async () => {
    await sendFile(world.harbor, potsCsv(2), { commit: true });
    const file = [
      header,
      "Pot 0,P-0,Tea,12.50,,0,,Stelton",
      "Pot 1,P-1,Tea,13,,1,,Stelton",
      "Pan,P-2,Pans,20,,,,",
      "Lid,,Pans,3,,,,",
    ].join("\n");
    const preview = await sendFile(world.harbor, file, { name: "spring.csv" });
    expect(preview).toMatchObject({
      status: "previewed",
      commitRequested: false,
      fileName: "spring.csv",
      dialect: "template",
      rowsRead: 4,
      created: 1,
      updated: 2,
      unchanged: 1,
      rejected: 1,
      skipped: 0,
    });
    expect(preview.samples[1]).toEqual(["Pot 1", "P-1", "Tea", "13", "", "1", "", "Stelton"]);
    const staged = await listStaged(world.harbor, await getImportRow(world.harbor, preview.id));
    expect(staged.map(({ row, sku, action }) => [row, sku, action])).toEqual([
      [2, "P-0", "unchanged"],
      [3, "P-1", "update"],
      [4, "P-2", "create"],
    ]);
    expect(await skus()).toEqual([
      ["P-0", 1_250, 0],
      ["P-1", 1_250, 1],
    ]);
    expect(await committed(world.harbor, preview.id)).toMatchObject({
      status: "succeeded",
      created: 1,
      updated: 2,
      unchanged: 1,
      rejected: 1,
    });
    expect(await skus()).toEqual([
      ["P-2", 2_000, null],
      ["P-0", 1_250, 0],
      ["P-1", 1_300, 1],
    ]);
    expect(await problemsOf(world.harbor, preview.id)).toEqual(["rejected 5 sku: SKU is missing"]);
    const [line] = await db().select().from(auditEntries).where(eq(auditEntries.entityId, preview.id));
    expect([line?.action, line?.after]).toEqual([
      "products.imported",
      { file: "spring.csv", created: 1, updated: 2, unchanged: 1, rejected: 1 },
    ]);
    expect(await db().$count(productImportBatches)).toBe(0);
    expect(await db().$count(productImportChunks)).toBe(0);
  });

  test("committed at once and sent again changes nothing the second time", async () => {
    const first = await sendFile(world.harbor, potsCsv(30), { commit: true });
    expect(first).toMatchObject({ status: "succeeded", rowsRead: 30, created: 30, updated: 0 });
    const before = await db().select().from(products).orderBy(products.id);
    const second = await sendFile(world.harbor, potsCsv(30), { commit: true });
    expect(second).toMatchObject({ status: "succeeded", created: 0, updated: 30, unchanged: 30 });
    expect(await db().select().from(products).orderBy(products.id)).toEqual(before);
  });

  test("keeps the values of missing columns, and clears those of empty cells", async () => {
    await sendFile(world.harbor, `${header}\nPot,P-1,Tea,12,Fine,4,https://a.example.com/x.png,Stelton`, {
      commit: true,
    });
    await sendFile(world.harbor, "name,sku,category,price,brand\nPot,P-1,Tea,13,", { commit: true });
    const [product] = (await listProducts(world.harbor, {})).rows;
    expect(product).toMatchObject({
      priceCents: 1_300,
      description: "Fine",
      inventory: 4,
      imageUrl: "https://a.example.com/x.png",
      brand: null,
    });
  });

  test("of variations that name their product has it as their group, also for products that exist", async () => {
    await sendFile(world.harbor, `${header}\nRed Cap,CAP-R,Hats,9,,,,`, { commit: true });
    const red = { Type: "variation", SKU: "CAP-R", Name: "Red Cap", "Regular price": "9", Parent: "CAP" };
    const parent = { Type: "variable", SKU: "CAP", Name: "Cap", Categories: "Hats" };
    const file = csv(wooCommerce, rowOf(wooCommerce, parent), rowOf(wooCommerce, red));
    const done = await sendFile(world.harbor, file, { commit: true });
    expect(done).toMatchObject({ updated: 1, unchanged: 0, readColumns: { group: ["Parent"] } });
    const [product] = (await listProducts(world.harbor, {})).rows;
    expect(product).toMatchObject({ sku: "CAP-R", groupKey: "CAP" });
  });

  test("yields products that can be edited in the form", async () => {
    const photo = `https://магазин.рф/${"ф".repeat(300)}.jpg`;
    const rows = [
      ["Mug", "E-1", "Tea", "12", "Fine\u0003 &#2;china\u007f", "https://магазин.рф/фото.jpg"],
      ["Pot", "E-2", "Tea", "12", "\u0001", "https://cdn.example.com:8443/a b.jpg?x=1"],
      ["Cup", "E-3", "Tea", "12", "", "https://198.51.100.10/cup.jpg"],
      ["Jug", "E-4", "Tea", "12", "", photo.replace("ф.jpg", `${"ф".repeat(300)}.jpg`)],
    ];
    const file = csv(["name", "sku", "category", "price", "description", "image_url"], ...rows);
    const done = await sendFile(world.harbor, file, { commit: true });
    const listed = (await listProducts(world.harbor, {})).rows;
    expect(listed.map(({ sku, description, imageUrl }) => [sku, description, imageUrl]).sort()).toEqual([
      ["E-1", "Fine china", "https://xn--80aairftm.xn--p1ai/%D1%84%D0%BE%D1%82%D0%BE.jpg"],
      ["E-2", null, "https://cdn.example.com:8443/a%20b.jpg?x=1"],
      ["E-3", null, null],
      ["E-4", null, null],
    ]);
    expect(await problemsOf(world.harbor, done.id)).toEqual([
      "warning 4 image_url: Image not imported. Use a URL with a host name and without a user name.",
      "warning 5 image_url: Image not imported: its URL has more than 2,048 characters. Use a shorter one.",
    ]);
    for (const { name, sku, category, priceCents, description, inventory, imageUrl: image } of listed) {
      const stored = { name, sku, category, price: priceCents / 100, description, inventory, image };
      expect(productSchema.safeParse(stored)).toMatchObject({ success: true });
    }
  });

  test("reports what it quotes of a cell, whatever the database can't store of it", async () => {
    const half = `${"x".repeat(39)}😀 and more`;
    const file = [
      "name,sku,category,price,status,currency",
      `Pot,P-1,Tea,12,${half},USD`,
      "Pan,P-2,Tea,12,on\0sale,USD",
      `Lid,P-3,Tea,12,active,${"coins".repeat(1_000)}`,
    ].join("\n");
    const done = await sendFile(world.harbor, file, { commit: true });
    expect(done).toMatchObject({ status: "succeeded", created: 2, rejected: 1, warned: 2 });
    const unknown = (status: string) => `“${status}” is not a known status. The product was imported as a draft.`;
    expect(await problemsOf(world.harbor, done.id)).toEqual([
      `warning 2 status: ${unknown(`${"x".repeat(39)}😀…`)}`,
      `warning 3 status: ${unknown("on�sale")}`,
      "rejected 4 price: This price is in COINSCOINSCOINSCOINS…. Use US dollars.",
    ]);
  });

  test("is the account's own: another's catalog, imports and chosen columns stay unchanged", async () => {
    await sendFile(world.fern, potsCsv(1), { commit: true });
    const preview = await sendFile(world.harbor, potsCsv(2, "99"));
    expect(preview).toMatchObject({ created: 2, updated: 0 });
    for (const stranger of [world.fern, world.northwind]) {
      await expectDomainError(getImport(stranger, preview.id), "not_found");
      await expectDomainError(commitImport(stranger, { id: preview.id }), "not_found");
      await expectDomainError(discardImport(stranger, { id: preview.id }), "not_found");
      const settings = defaultImportSettings;
      await expectDomainError(remapImport(stranger, { id: preview.id, columns: {}, settings }), "not_found");
      expect(await problemsOf(stranger, preview.id)).toEqual([]);
      expect((await listImports(stranger)).map(({ id }) => id)).not.toContain(preview.id);
    }
    await committed(world.harbor, preview.id);
    expect(await skus(world.fern)).toEqual([["P-0", 1_250, 0]]);
  });

  test("can be discarded, and then not committed", async () => {
    const preview = await sendFile(world.harbor, potsCsv(1));
    await discardImport(world.harbor, { id: preview.id });
    await expectDomainError(commitImport(world.harbor, { id: preview.id }), "invalid_transition");
    await expectDomainError(discardImport(world.harbor, { id: preview.id }), "invalid_transition");
    expect(await getImport(world.harbor, preview.id)).toMatchObject({ status: "discarded" });
    expect(await skus()).toEqual([]);
    expect(await db().$count(productImportChunks)).toBe(0);
  });

  test("that is being committed says so when it is asked for again", async () => {
    const { id } = await sendFile(world.harbor, potsCsv(2));
    const first = await db().transaction(async (tx) => {
      // The commit waits for the catalog.
      await tx.execute(sql`lock table products in share mode`);
      const begun = { done: deferRejection(commitImport(world.harbor, { id })) };
      await vi.waitFor(async () => expect((await getImport(world.harbor, id)).status).toBe("running"));
      for (const again of [commitImport, discardImport])
        await expectDomainError(again(world.harbor, { id }), "invalid_transition", /is being read or committed/);
      return begun;
    });
    await first.done;
    expect(await ended(world.harbor, id)).toMatchObject({ status: "succeeded", created: 2 });
    await expectDomainError(commitImport(world.harbor, { id }), "invalid_transition", /already completed/);
  });

  test("is committed once, however many concurrent requests there are", async () => {
    const preview = await sendFile(world.harbor, potsCsv(50));
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => commitImport(world.harbor, preview)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await ended(world.harbor, preview.id)).toMatchObject({ status: "succeeded", created: 50 });
    expect(await db().$count(auditEntries, eq(auditEntries.entityId, preview.id))).toBe(1);
  });

  test("with the same SKUs as others at the same time loses none and creates none twice", async () => {
    const files = Array.from({ length: 4 }, (_, index) =>
      [
        header,
        ...potsCsv(200, `${index + 1}`)
          .split("\n")
          .slice(1)
          .sort(() => (index % 2 ? 1 : -1)),
      ].join("\n"),
    );
    const done = await Promise.all(files.map((file) => sendFile(world.harbor, file, { commit: true })));
    expect(done.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
    expect(done.reduce((sum, { created }) => sum + created, 0)).toBe(200);
    expect(await db().$count(products)).toBe(200);
  });

  test("with the same key is one", async () => {
    const key = "import-key-1";
    const first = await sendFile(world.harbor, potsCsv(3), { commit: true, key });
    expect((await sendFile(world.harbor, potsCsv(9), { commit: true, key })).id).toBe(first.id);
    expect(await db().$count(products)).toBe(3);
  });
});

describe("an import that fails", () => {
  const failing = { message: "Something went wrong" };
  const batchesOf = (id: ImportId) => db().$count(productImportBatches, eq(productImportBatches.importId, id));

  test("does so together with its file, or not at all", async () => {
    const { id } = await sendFile(world.harbor, potsCsv(1));
    await db().update(productImports).set({ status: "running", finishedAt: null }).where(eq(productImports.id, id));
    await db.owner().execute(sql`
      create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut' using errcode = 'ZZ001'; end $$`);
    await db
      .owner()
      .execute(
        sql`create trigger cuts_off before delete on product_import_batches for each row execute function cut_off()`,
      );
    await expect(failImport(world.harbor, { id, run: 1, ...failing })).rejects.toThrow();
    await db.owner().execute(sql`drop trigger cuts_off on product_import_batches; drop function cut_off`);
    expect(await getImport(world.harbor, id)).toMatchObject({ status: "running", error: null });
    await failImport(world.harbor, { id, run: 1, ...failing });
    expect(await getImport(world.harbor, id)).toMatchObject({ status: "failed", error: failing.message });
    expect(await batchesOf(id)).toBe(0);
  });

  test("is not one that is in preview already", async () => {
    const { id } = await sendFile(world.harbor, potsCsv(1));
    await failImport(world.harbor, { id, run: 1, ...failing });
    expect(await batchesOf(id)).toBe(1);
    expect(await committed(world.harbor, id)).toMatchObject({ status: "succeeded", created: 1 });
  });
});

describe("the columns", () => {
  const table = "Ware;Nummernkreis;Regal;Ladenpreis\nKanne;1;Tee;12,50\n";
  const columns = { name: "Ware", sku: "Nummernkreis", category: "Regal", price: "Ladenpreis" };
  const settings = defaultImportSettings;

  test("of an unknown table are chosen, and remembered for the next one like it", async () => {
    const preview = await sendFile(world.brightside, table);
    expect(preview).toMatchObject({ status: "previewed", dialect: "other" });
    expect(preview.missingFields).toEqual(["name", "sku", "category", "price"]);
    await expectDomainError(
      commitImport(world.brightside, preview),
      "invalid_transition",
      /Choose a column for Product name/,
    );
    await remapImport(world.brightside, { id: preview.id, columns, settings });
    expect(await ended(world.brightside, preview.id)).toMatchObject({
      status: "previewed",
      missingFields: [],
      created: 1,
      readColumns: { name: ["Ware"], sku: ["Nummernkreis"], category: ["Regal"], price: ["Ladenpreis"] },
    });
    await committed(world.brightside, preview.id);
    expect(await skus(world.brightside)).toEqual([["1", 1_250, null]]);
    const next = await sendFile(world.brightside, table.replace("12,50", "13,50"), { commit: true });
    expect(next).toMatchObject({ status: "succeeded", updated: 1 });
    const foreign = await sendFile(world.fern, table, { commit: true });
    expect([foreign.status, foreign.error]).toEqual([
      "failed",
      "No column found for Product name. Columns found: Ware, Nummernkreis, Regal, Ladenpreis. Send the name of its column as column_name.",
    ]);
  });

  test("and the derived values can be changed any number of times", async () => {
    const row = rowOf(shopifyLegacy, { Handle: "mug", Title: "Mug", "Variant Price": "9", "Option1 Value": "Blue" });
    const preview = await sendFile(world.harbor, csv(shopifyLegacy, row));
    expect(preview).toMatchObject({ dialect: "shopify-legacy", created: 0, rejected: 1 });
    const withDefaults = { ...defaultImportSettings, deriveSku: true, defaultCategory: "Cups" };
    await remapImport(world.harbor, { id: preview.id, columns: {}, settings: withDefaults });
    expect(await ended(world.harbor, preview.id)).toMatchObject({
      created: 1,
      rejected: 0,
      derivedSkus: 1,
      defaultCategories: 1,
    });
    expect(await problemsOf(world.harbor, preview.id)).toEqual([]);
    await remapImport(world.harbor, { id: preview.id, columns: {}, settings });
    expect(await ended(world.harbor, preview.id)).toMatchObject({ created: 0, rejected: 1 });
    await discardImport(world.harbor, preview);
    const late = remapImport(world.harbor, { id: preview.id, columns: {}, settings });
    await expectDomainError(late, "invalid_transition", /already completed or discarded/);
  });
});

describe("a file", () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheetRow = (...cells: string[]) => `<row>${cells.map(cell).join("")}</row>`;

  test("may be a workbook, with rows of different lengths", async () => {
    const rows = [
      sheetRow("name", "sku", "category", "price", "brand"),
      sheetRow("Pot", "P-1", "Tea", "12.50", "Stelton"),
      sheetRow("Pan", "P-2", "Pans", "20"),
      sheetRow("Lid", "P-3", "Pans", "3", "x", "too many"),
    ];
    const done = await sendFile(world.harbor, workbookOf(rows.join("")), { name: "products.xlsx", commit: true });
    expect(done).toMatchObject({ status: "succeeded", format: "xlsx", rowsRead: 3, created: 2, rejected: 1 });
    expect(await problemsOf(world.harbor, done.id)).toEqual(["rejected 4 : Row 4 has 6 cells, but the header has 5"]);
  });

  test("may be an OpenDocument spreadsheet or a workbook, with values as it shows them", async () => {
    const sheet = (sku: string | number, price: number) =>
      utils.aoa_to_sheet([
        ["name", "sku", "category", "price"],
        ["Pot", sku, "Tea", price],
        ["Pan", "'0112", "Tea", 20],
      ]);
    const formatted = sheet(742, 10 / 3);
    Object.assign(formatted.B2, { z: "00000" });
    Object.assign(formatted.D2, { z: '"$"0.00' });
    for (const [bookType, rows] of [
      ["xlsx", formatted],
      ["ods", sheet("00743", 3.33)],
    ] as const) {
      const file = write(utils.book_new(rows), { type: "buffer", bookType });
      const done = await sendFile(world.harbor, file, { name: `products.${bookType}`, commit: true });
      expect(done).toMatchObject({ status: "succeeded", format: bookType, rowsRead: 2, rejected: 0 });
    }
    const page = await listProducts(world.harbor, { q: "0" });
    expect(page.rows.map(({ sku, priceCents }) => [sku, priceCents])).toEqual(
      expect.arrayContaining([
        ["00742", 333],
        ["00743", 333],
        ["0112", 2000],
      ]),
    );
  });

  test("may be a workbook whose prices are shown as whole dollars, with separators of thousands", async () => {
    const rows = utils.aoa_to_sheet([
      ["name", "sku", "category", "price"],
      ["Urn", "W-1", "Tea", 1800],
      ["Cup", "W-2", "Tea", 9],
    ]);
    for (const cell of [rows.D2, rows.D3]) Object.assign(cell, { z: '"$"#,##0' });
    const file = write(utils.book_new(rows), { type: "buffer", bookType: "xlsx" });
    const done = await sendFile(world.harbor, file, { name: "products.xlsx", commit: true });
    expect([done.created, await problemsOf(world.harbor, done.id)]).toEqual([2, []]);
    const page = await listProducts(world.harbor, { q: "W-" });
    expect(page.rows.map(({ sku, priceCents }) => [sku, priceCents]).sort()).toEqual([
      ["W-1", 180_000],
      ["W-2", 900],
    ]);
  });

  test("may be a workbook whose formulas have no result, which is the reason that is given", async () => {
    const rows = [
      sheetRow("name", "sku", "category", "price"),
      `<row>${["Pot", "F-1", "Tea"].map(cell).join("")}<c><f>1+1</f></c></row>`,
    ];
    const done = await sendFile(world.harbor, workbookOf(rows.join("")), { name: "products.xlsx", commit: true });
    expect(done).toMatchObject({ created: 0, rejected: 1 });
    expect(await problemsOf(world.harbor, done.id)).toEqual([
      expect.stringContaining("The formula's result was not saved. Open the file in a spreadsheet app"),
    ]);
  });

  test("may be a workbook with a cover before the sheet of products, and says what is on no other sheet", async () => {
    const sheet = (name: string, rows: string[], state?: string) => ({
      name,
      xml: sheetXml(rows.join("")),
      ...(state && { state }),
    });
    const table = (sku: string) => [sheetRow("name", "sku", "category", "price"), sheetRow("Pot", sku, "Tea", "1.50")];
    const cover = sheet("Read me", [
      sheetRow("Price list 2026"),
      sheetRow("Name", "Ann"),
      sheetRow("Valid until June"),
    ]);
    const sheets = [sheet("Empty", []), sheet("Old", table("S-0"), "hidden"), cover, sheet("Tea", table("S-1"))];
    const more = [...sheets, sheet("Cups", table("S-2"))];
    for (const [parts, sku, others] of [
      [[cover, sheet("Tea", table("S-3"))], "S-3", "“Read me”"],
      [more, "S-1", "“Empty”, “Read me”, “Cups”"],
      [[sheet("Cups", table("S-2"))], "S-2", undefined],
    ] as const) {
      const file = workbook({ sheets: [...parts] });
      const done = await sendFile(world.harbor, file, { name: "products.xlsx", commit: true });
      expect(done).toMatchObject({ created: 1, rejected: 0 });
      expect((await listProducts(world.harbor, { q: sku })).rows).toHaveLength(1);
      expect(await problemsOf(world.harbor, done.id)).toEqual(
        others ? [expect.stringContaining(`Only one sheet of the workbook is imported. Not imported: ${others}.`)] : [],
      );
    }
  });

  test("may be a workbook of some thousand rows", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => sheetRow(`Pot ${index}`, `P-${index}`, "Tea", "1.50"));
    const workbook = workbookOf([sheetRow("name", "sku", "category", "price"), ...rows].join(""));
    const done = await sendFile(world.harbor, workbook, { name: "products.xlsx", commit: true });
    expect(done).toMatchObject({ status: "succeeded", rowsRead: 3_000, created: 3_000, rejected: 0 });
  });

  test("may be UTF-16 or Windows-1252", async () => {
    const text = "name;sku;category;price\nKaffeekännchen;K-1;Küche;12,50\n";
    const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")]);
    for (const bytes of [utf16, Buffer.from(text, "latin1")]) {
      await sendFile(world.harbor, bytes, { commit: true });
      expect((await listProducts(world.harbor, {})).rows).toMatchObject([
        { name: "Kaffeekännchen", category: "Küche" },
      ]);
      await db().delete(products);
    }
  });

  test("is read in the encoding that its letters show, or in the one that is chosen for the preview", async () => {
    const text = "name;sku;category;price\nКружка синяя;K-1;Посуда;12,50\n";
    const bytes = iconv.encode(text, "windows-1251");
    const preview = await sendFile(world.harbor, bytes);
    expect(preview.encoding).toMatchObject({
      encoding: "windows-1251",
      source: "detected",
      samples: { "windows-1251": "Кружка синяя, Посуда", "windows-1252": "Êðóæêà ñèíÿÿ, Ïîñóäà" },
    });
    await remapImport(world.harbor, {
      id: preview.id,
      columns: {},
      settings: { ...defaultImportSettings, chosenEncoding: "gb18030" },
    });
    expect(await ended(world.harbor, preview.id)).toMatchObject({
      status: "previewed",
      chosenEncoding: "gb18030",
      encoding: { encoding: "gb18030", source: "chosen" },
      samples: [[expect.not.stringContaining("Кружка"), "K-1", expect.any(String), "12,50"]],
    });
    await discardImport(world.harbor, { id: preview.id });
    const sent = await sendFile(world.harbor, bytes, { encoding: "windows-1251", commit: true });
    expect(sent).toMatchObject({ status: "succeeded", encoding: { encoding: "windows-1251", source: "chosen" } });
    expect((await listProducts(world.harbor, {})).rows).toMatchObject([{ name: "Кружка синяя", category: "Посуда" }]);
  });

  test("is unpacked from gzip, and from an archive with one file", async () => {
    const packed = [gzipSync(potsCsv(3)), zip([{ name: "export/products.csv", data: potsCsv(3) }])];
    for (const bytes of packed) {
      const done = await sendFile(world.harbor, bytes, { name: "products.packed", commit: true });
      expect(done).toMatchObject({ status: "succeeded", format: "text", rowsRead: 3, rejected: 0 });
    }
    const two = zip(["a.csv", "b.csv"].map((name) => ({ name, data: potsCsv(1) })));
    const done = await sendFile(world.harbor, two);
    expect([done.status, done.error]).toEqual(["failed", expect.stringContaining("has 2 files. Unzip it")]);
  });

  test("with letters that its encoding does not have warns about their rows", async () => {
    const header = "name;sku;category;price\n";
    const cyrillic = iconv.encode(`${header}Кружка;K-1;Посуда;12,50\nСтол;K-2;Мебель;9,50\n`, "windows-1251");
    const wrong = await sendFile(world.harbor, cyrillic, { encoding: "shift_jis" });
    expect(await problemsOf(world.harbor, wrong.id)).toContainEqual(
      expect.stringMatching(/^warning \d : Some characters don't exist in Japanese \(Shift-JIS\)/),
    );
    await discardImport(world.harbor, { id: wrong.id });
    const good = Array.from({ length: 9 }, (_, row) => `Größe ${row};G-${row};Küche;1,50\n`).join("");
    const mixed = Buffer.concat([Buffer.from(`${header}${good}`), Buffer.from("M\xfctze;M-1;Hut;1,50\n", "latin1")]);
    const partly = await sendFile(world.harbor, mixed);
    expect(partly).toMatchObject({ rowsRead: 10, rejected: 0, encoding: { encoding: "utf-8" } });
    expect(await problemsOf(world.harbor, partly.id)).toEqual([
      "warning 11 : Some of this row is not UTF-8 and was read as Windows-1252. Check its letters.",
    ]);
    await discardImport(world.harbor, { id: partly.id });
  });

  test("may begin with any number of blank lines", async () => {
    const read = await sendFile(world.harbor, `${"\n".repeat(3_000)}${" \r\n".repeat(500)}${potsCsv(2)}`);
    expect(read).toMatchObject({ status: "previewed", rowsRead: 2, created: 2, headerRow: 3_501 });
    await discardImport(world.harbor, { id: read.id });
  });

  test.each([
    ["", "The file is empty. Choose another file."],
    ["\n\n", "The file is empty. Choose another file."],
    ["%PDF-1.7", "This is a PDF. Upload the original table as .csv or .xlsx."],
    ["<!doctype html><table>", "This is a web page"],
    [`name,sku,category,price\n"${"x".repeat(2_000_000)}`, "is longer than 1 MB"],
    [workbookOf("<row><c><v>1</v></c></row>").subarray(0, 400), "damaged"],
  ])("that is not a table is rejected with a message, and leaves nothing", async (bytes, message) => {
    const done = await sendFile(world.harbor, bytes, { commit: true });
    expect([done.status, done.error]).toEqual(["failed", expect.stringContaining(message)]);
    expect(await db().$count(productImportChunks)).toBe(0);
    expect(await skus()).toEqual([]);
  });

  test("over the limit of 50 MB is rejected before it is stored completely", async () => {
    const { bytes } = importLimits;
    expect(bytes).toBe(50 * 1024 * 1024);
    // A file over the limit takes seconds.
    Object.assign(importLimits, { bytes: 2 * 1024 * 1024 });
    onTestFinished(() => void Object.assign(importLimits, { bytes }));
    let sent = 0;
    async function* large() {
      for (; sent < 100; sent += 1) yield Buffer.from(`${"x".repeat(64 * 1_024 - 1)}\n`);
    }
    await expectDomainError(sendFile(world.harbor, Readable.from(large())), "too_large", /larger than 2 MB/);
    expect(sent).toBeLessThan(100);
    await expectDomainError(sendFile(world.harbor, potsCsv(2), { truncated: true }), "too_large", /larger than 2 MB/);
    const packed = gzipSync(Buffer.alloc(3 * 1024 * 1024, "x\n"));
    await expectDomainError(sendFile(world.harbor, packed), "too_large", /larger than 2 MB/);
    const [failed, before] = await listImports(world.harbor);
    expect([failed, before]).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    expect(await db().$count(productImportChunks)).toBe(0);
  });

  test("that is cut off fails, and can be sent again with its key", async () => {
    const key = "cut-off-key";
    const interrupted = await sendFile(world.harbor, Readable.from(cutOff()), { key });
    expect([interrupted.status, interrupted.error]).toEqual([
      "failed",
      "The upload was interrupted. Upload the file again.",
    ]);
    const again = await sendFile(world.harbor, potsCsv(2), { key, commit: true });
    expect([again.id, again.status, again.created]).toEqual([interrupted.id, "succeeded", 2]);
  });

  test.each([
    ["has received its file", () => Readable.from([Buffer.from(potsCsv(3))])],
    ["meets a file that is rejected", () => Readable.from([Buffer.from("%PDF-1.7")])],
    ["loses its sender", () => Readable.from(cutOff())],
  ])("that is sent again is not touched by its first process, which %s after a pause", async (_, stream) => {
    const key = crypto.randomUUID();
    const reported: unknown[] = [];
    const by = { ...world.harbor, report: (error: unknown) => void reported.push(error) };
    const settings = () => ({ ...defaultImportSettings, commit: true, columns: {} });
    const begin = async () => {
      const { id, run } = await reserveImport(by, { key });
      return { id, run: run ?? expect.fail("The import is running or finished") };
    };
    const first = await begin();
    let second = first;
    async function* files() {
      world.advanceDays(1);
      await sweepImports(world.job);
      second = await begin();
      yield { name: "first.csv", stream: stream(), isTruncated: () => false };
    }
    await receiveImport(by, { ...first, files: files(), settings });
    expect(await ended(by, first.id)).toMatchObject({ status: "running", fileName: null, rowsRead: 0 });
    world.advanceDays(-1);
    expect(second).toEqual({ id: first.id, run: 2 });
    expect(await skus()).toEqual([]);
    async function* sameFile() {
      yield { name: "second.csv", stream: Readable.from([Buffer.from(potsCsv(2))]), isTruncated: () => false };
    }
    await receiveImport(by, { ...second, files: sameFile(), settings });
    expect(await ended(by, first.id)).toMatchObject({ status: "succeeded", fileName: "second.csv", created: 2 });
    expect(await skus()).toHaveLength(2);
    expect(reported).toEqual([]);
  });

  test("has each text again that an export escaped, whatever apostrophes and signs it begins with", () => {
    const start = fc.string({ unit: fc.constantFrom(..."'=+-@＝ 12.,a"), maxLength: 6 });
    const text = fc.tuple(start, fc.string({ unit: "grapheme", maxLength: 3 })).map((parts) => parts.join("").trim());
    fc.assert(
      fc.property(text, (value) => {
        expect(dropApostrophe(escapeFormula(keepApostrophe(value)))).toBe(value);
        // What a spreadsheet may run is escaped still.
        expect(escapeFormula(keepApostrophe(value))).not.toMatch(/^[=+\-@＝]/);
      }),
      { numRuns: 2_000 },
    );
  });

  test("exported and imported again is the same catalog", async () => {
    await sendFile(
      world.harbor,
      [
        header,
        '"=SUM(A1)",+1,"Tea, pots",1234.50,"Line one\nline ""two""",0,https://a.example.com/x.png,-dash',
        "'quoted',@2,Tea,0,,,,",
        "'''=SUM(A1),''12,''-5,0,'''' =x,,,''+3",
      ].join("\n"),
      { commit: true },
    );
    const before = (await listProducts(world.harbor, {})).rows;
    const { byteOrderMark, toCsv } = await import("#app/web/csv.ts");
    const { templateColumns } = await import("#app/domain/catalog/template-columns.ts");
    const lines: (string | number)[][] = [templateColumns.map(({ name }) => name)];
    for await (const piece of exportProducts(world.harbor)) {
      lines.push(...piece.map((product) => templateColumns.map(({ value }) => value(product))));
    }
    const file = byteOrderMark + toCsv(lines);
    expect(await sendFile(world.harbor, file, { commit: true })).toMatchObject({ updated: 3, unchanged: 3 });
    expect(before).toContainEqual(
      expect.objectContaining({ name: "''=SUM(A1)", sku: "'12", category: "'-5", description: "''' =x", brand: "'+3" }),
    );
    expect((await listProducts(world.harbor, {})).rows).toEqual(before);
  });
});

describe("the sweeper", () => {
  test("fails imports whose process died, and deletes yesterday's previews with their files", async () => {
    const { id } = await reserveImport(world.harbor, { key: undefined });
    const long = new Date(world.clock().getTime() - 61_000);
    await db().update(productImports).set({ heartbeatAt: long }).where(eq(productImports.id, id));
    const young = await sendFile(world.harbor, potsCsv(1));
    const old = await sendFile(world.harbor, potsCsv(1));
    const yesterday = new Date(world.clock().getTime() - 25 * 3_600_000);
    await db().update(productImports).set({ finishedAt: yesterday }).where(eq(productImports.id, old.id));
    expect(await sweepImports(world.job)).toBe(2);
    expect(await sweepImports(world.job)).toBe(0);
    const states = await Promise.all([id, young.id, old.id].map((one) => getImport(world.harbor, one)));
    expect(states.map(({ status, error }) => [status, error])).toEqual([
      ["failed", "The import was interrupted. Upload the file again."],
      ["previewed", null],
      ["discarded", null],
    ]);
    const left = await db().selectDistinct({ id: productImportChunks.importId }).from(productImportChunks);
    expect(left).toEqual([{ id: young.id }]);
  });
});

describe("the imports of an account", () => {
  const open = () => sendFile(world.fern, potsCsv(1));
  beforeEach(() => db().delete(productImports));

  /** Adds newer imports like this one, without files: a thread reads each file. */
  async function addCopies(id: ImportId, count: number): Promise<void> {
    const [row = expect.fail()] = await db().select().from(productImports).where(eq(productImports.id, id));
    await db()
      .insert(productImports)
      .values(Array.from({ length: count }, () => ({ ...row, id: newId<ImportId>() })));
  }

  test("are open up to twenty at a time, however many arrive at once", async () => {
    const [first, second] = await Promise.all([open(), open()]);
    await addCopies(first.id, 16);
    const atOnce = await Promise.allSettled(Array.from({ length: 4 }, open));
    expect(atOnce.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    await expectDomainError(open(), "limit_reached", /^20 files .* Import or discard one of them first\.$/);
    expect(await sendFile(world.harbor, potsCsv(1))).toMatchObject({ status: "previewed" });
    await discardImport(world.fern, { id: first.id });
    await open();
    await expectDomainError(open(), "limit_reached");
    await committed(world.fern, second.id);
    await open();
  });

  test("of the test mode, which visitors share, make room by discarding the oldest preview", async () => {
    const visitor = { ...world.fern, entrypoint: "test_mode" as const };
    const first = await open();
    await addCopies(first.id, 19);
    expect(await sendFile(visitor, potsCsv(1))).toMatchObject({ status: "previewed" });
    expect(await getImport(world.fern, first.id)).toMatchObject({ status: "discarded" });
    const atOnce = await Promise.all(Array.from({ length: 3 }, () => sendFile(visitor, potsCsv(1))));
    expect(atOnce.map(({ status }) => status)).toEqual(["previewed", "previewed", "previewed"]);
    expect(await db().$count(productImports, eq(productImports.status, "previewed"))).toBe(20);
    await db().update(productImports).set({ status: "running", finishedAt: null });
    await expectDomainError(sendFile(visitor, potsCsv(1)), "limit_reached");
  });

  test("cannot be more because interrupted ones are sent again", async () => {
    const key = "interrupted-key";
    const { id } = await sendFile(world.fern, Readable.from(cutOff()), { key });
    await addCopies((await open()).id, 19);
    await expectDomainError(sendFile(world.fern, potsCsv(1), { key }), "limit_reached");
    expect(await getImport(world.fern, id)).toMatchObject({ status: "failed" });
  });

  test("are listed with the open ones first", async () => {
    const preview = await open();
    await addCopies((await sendFile(world.fern, potsCsv(1), { commit: true })).id, 9);
    const listed = await listImports(world.fern);
    expect(listed.map(({ status }) => status)).toEqual(["previewed", ...Array(9).fill("succeeded")]);
    expect(listed[0]?.id).toBe(preview.id);
  });

  test("keep the problems of their rows for ninety days", async () => {
    const file = [header, "Pot,P-1,Tea,12.50,,1,,Stelton", "Lid,,Pans,3,,,,"].join("\n");
    const { id } = await sendFile(world.fern, file, { commit: true });
    const waiting = await sendFile(world.fern, file);
    const later = (days: number): Ctx<JobActor> => {
      const clock = () => new Date(Date.now() + days * 86_400_000);
      return { ...world.job, clock };
    };
    expect(await purgeImportProblems(later(89))).toBe(0);
    expect(await purgeImportProblems(later(91))).toBe(1);
    expect(await problemsOf(world.fern, id)).toEqual([]);
    expect(await problemsOf(world.fern, waiting.id)).toHaveLength(1);
    expect(await getImport(world.fern, id)).toMatchObject({ status: "succeeded", rejected: 1 });
  });
});
