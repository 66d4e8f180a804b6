import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { tooManyOpenImports } from "#app/domain/catalog/imports/catalog-import.ts";
import { listImports } from "#app/domain/catalog/imports/list-imports.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { type ImportId, newId } from "#app/domain/ids.ts";
import * as report from "#app/screens/shared/products/import/csv.ts";
import { ImportProblems } from "#app/screens/shared/products/import/import-problems.tsx";
import * as page from "#app/screens/shared/products/import/route.tsx";
import * as upload from "#app/screens/shared/products/upload/route.tsx";
import * as template from "#app/screens/shared/products/upload/template.ts";
import { productImports } from "#db/schema/index.ts";
import { sendFile } from "#tests/domain/catalog/support/an-import.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

/** Posts the form as a browser does. */
async function send(file: string, { key = "", name = "pots.csv" } = {}) {
  const multipart = new FormData();
  multipart.append("idempotency_key", key);
  multipart.append("file", new File(file === "" ? [] : [file], file === "" ? "" : name));
  const sent = await visit(world(), "harbor", upload.action, "/publisher/products/upload", { multipart });
  await waitForBackgroundTasks();
  const params = { id: sent.location?.split("/").at(-1) ?? "" };
  return { sent, path: sent.location ?? "", params };
}

const load = async ({ path, params }: { path: string; params: Record<string, string> }) =>
  (await visit(world(), "harbor", page.loader, path, { params })).body;
const act = (at: { path: string; params: Record<string, string> }, form: Record<string, string>) =>
  visit(world(), "harbor", page.action, at.path, { params: at.params, form });

describe("Upload Products", () => {
  it("creates a preview of a file, once for its form, and commits it", async () => {
    const file = "name,sku,category,price\nPot,P-1,Tea,12.50\nPan,P-2,,20\n";
    const key = crypto.randomUUID();
    const one = await send(file, { key });
    expect(one.path).toMatch(/^\/publisher\/products\/imports\/[0-9a-f-]{36}$/);
    expect((await send(file, { key })).path).toBe(one.path);
    // From the page as the browser's history kept it.
    expect((await send(`${file}Lid,P-3,Tea,1\n`, { key })).path).toBe("/publisher/products/upload");
    expect(await load(one)).toMatchObject({
      shown: { status: "previewed", fileName: "pots.csv", created: 1, rejected: 1 },
      preview: [{ sku: "P-1", action: "create", priceCents: 1_250 }],
      problems: [{ row: 3, message: "Category is missing" }],
      columns: {
        found: [{ name: "name", examples: ["Pot", "Pan"] }, { name: "sku" }, { name: "category" }, { name: "price" }],
        missing: [],
        guessed: [],
      },
    });
    expect((await act(one, { intent: "commit" })).location).toBe(one.path);
    await waitForBackgroundTasks();
    expect(await load(one)).toMatchObject({ shown: { status: "succeeded", created: 1 }, preview: [] });
    expect((await listProducts(world().harbor, { q: "P-1" })).rows).toMatchObject([{ name: "Pot" }]);
    const late = await act(one, { intent: "commit" });
    expect([late.status, late.body]).toMatchObject([
      409,
      { error: { "": ["This import was already completed or discarded"] } },
    ]);
  });

  it("shows a form that was sent without its file again, with a message", async () => {
    const form = { idempotency_key: crypto.randomUUID(), file: "pots.csv" };
    const sent = await visit(world(), "harbor", upload.action, "/publisher/products/upload", { form });
    const rejected = "Your browser sent the form without the file. Choose it again, or use another browser.";
    expect([sent.status, sent.body]).toEqual([415, { rejected }]);
  });

  it("says when too many files are open, and shows the form again", async () => {
    for (let number = 0; number < 20; number += 1) await sendFile(world().harbor, "name\n");
    const { sent } = await send("name\n");
    expect([sent.status, sent.body]).toEqual([409, { rejected: tooManyOpenImports }]);
    expect(tooManyOpenImports).toMatch(/^20 files/);
    await world().job.db.delete(productImports);
  });

  it("says of an old import that the problems of its rows are deleted", () => {
    const shown = (rejected: number) => {
      const shown = { id: newId<ImportId>(), rejected, warned: 0 };
      return renderToStaticMarkup(createElement(ImportProblems, { base: "/publisher", problems: [], count: 0, shown }));
    };
    expect(shown(1)).toContain("deleted after 90 days");
    expect(shown(0)).toContain("Every row was read");
  });

  it("reads a file again with the chosen columns", async () => {
    const created = await send("Ware;Nummernkreis;Regal;Ladenpreis\nKanne;1;;12,50\n");
    expect(await load(created)).toMatchObject({ columns: { missing: ["name", "sku", "category", "price"] } });
    const rejected = await act(created, { intent: "commit" });
    expect(rejected.status).toBe(409);
    const chosen = {
      intent: "read-again",
      column_name: "Ware",
      column_sku: "Nummernkreis",
      column_category: "Regal",
      column_price: "Ladenpreis",
      column_brand: "-",
      default_category: "Tee",
    };
    const tooLong = await act(created, { ...chosen, default_category: "x".repeat(300) });
    expect([tooLong.status, tooLong.body]).toMatchObject([
      422,
      { error: { default_category: ["Use at most 255 characters"] } },
    ]);
    for (const image_base of ["shop.example", "http://shop.example", "https://shop.example?a"]) {
      const wrong = await act(created, { ...chosen, image_base });
      expect([wrong.status, wrong.body]).toMatchObject([
        422,
        {
          error: {
            image_base: ["Enter a URL that begins with https://, without a query"],
          },
        },
      ]);
    }
    for (const image_base of [
      "https://me@shop.example",
      "https://me:secret@shop.example",
      "https://:secret@shop.example",
    ]) {
      const wrong = await act(created, { ...chosen, image_base });
      expect([wrong.status, wrong.body]).toMatchObject([
        422,
        { error: { image_base: ["Remove the user name and password from the URL"] } },
      ]);
    }
    const imageBase = "https://shop.example/media";
    expect((await act(created, { ...chosen, image_base: imageBase })).location).toBe(created.path);
    await waitForBackgroundTasks();
    expect(await load(created)).toMatchObject({
      shown: { status: "previewed", created: 1, defaultCategories: 1, defaultCategory: "Tee", imageBase },
      columns: { missing: [], chosen: { name: "Ware", brand: null } },
    });
    const discarded = await act(created, { intent: "discard" });
    expect(discarded.location).toBe(created.path);
    expect(await load(created)).toMatchObject({ shown: { status: "discarded" } });
  });

  it("shows a page with the reason for a file that cannot be imported", async () => {
    const none = await send("");
    expect(await load(none)).toMatchObject({ shown: { status: "failed", error: "Choose a file" } });
    const pdf = await send("%PDF-1.7");
    expect(await load(pdf)).toMatchObject({ shown: { status: "failed", error: expect.stringContaining("PDF") } });
    expect((await listImports(world().harbor)).map(({ status }) => status).slice(0, 2)).toEqual(["failed", "failed"]);
  });

  it("has a template and a report to download", async () => {
    const filled = await visit(world(), "harbor", template.loader, "/publisher/products/template.csv");
    const lines = String(filled.body).split("\r\n");
    expect(lines[0]).toBe("name,sku,category,price,description,inventory,image_url,brand,group,status");
    const own = await send(String(filled.body));
    expect(await load(own)).toMatchObject({ shown: { dialect: "template", created: 2, rejected: 0, warned: 0 } });
    const bad = await send("name,sku,category,price\n=Pot,+1,Tea,-5\n");
    const csvReport = await visit(world(), "harbor", report.loader, `${bad.path}/report.csv`, { params: bad.params });
    expect(csvReport.body).toBe("Row,Result,SKU,Column,Message\r\n2,Rejected,'+1,price,Price can't be negative\r\n");
    const foreign = await visit(world(), "fern", report.loader, `${bad.path}/report.csv`, { params: bad.params });
    expect(foreign.status).toBe(404);
  });
});
