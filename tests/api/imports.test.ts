import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { importFailedOnOurSide } from "#app/domain/catalog/imports/stage-import.server.ts";
import { type ImportId, parseId } from "#app/domain/ids.ts";
import { productImports } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type ApiClient, member, origin, send } from "./api.ts";

const db = useDatabase();

const header = "name,sku,category,price";
const pots = `${header}\nPot,P-1,Tea,12.50\nPan,P-2,Pans,"1,800"\n`;

/** Posts the form as an API client does; the fields may come after the file. */
async function post(api: ApiClient, fields: Record<string, string>, { file = pots, last = false, key = "" } = {}) {
  const form = new FormData();
  const append = () => Object.entries(fields).forEach(([name, value]) => void form.append(name, value));
  if (!last) append();
  form.append("file", new File([file], "pots.csv"));
  if (last) append();
  const headers = new Headers(api.headers);
  if (key) headers.set("Idempotency-Key", key);
  const response = await send(new Request(`${origin}/api/products/imports`, { method: "POST", headers, body: form }));
  const isReplayed = response.headers.get("Idempotent-Replayed") === "true";
  return { status: response.status, isReplayed, ...(JSON.parse(await response.text()) as ImportResponse) };
}

type ImportResponse = {
  import?: { id: string; status: string };
  error?: { code: string; message: string; fields?: object };
};

async function read(api: ApiClient, id = "") {
  await waitForBackgroundTasks();
  return (await api("GET /api/products/imports/{id}", { params: { id } })).body.import;
}

test.each(["advertiser", "publisher"] as const)("an %s previews a file and commits it", async (side) => {
  const { api, byKey } = await member(side);
  const sent = await post(byKey, {});
  expect(sent.status).toBe(202);
  const preview = await read(api, sent.import?.id);
  expect(preview).toMatchObject({
    status: "previewed",
    dialect: "template",
    file_name: "pots.csv",
    columns: { name: ["name"], price: ["price"] },
    rows_read: 2,
    created: 2,
    updated: 0,
    rejected: 0,
    errors: [],
    warnings: [],
  });
  expect((await api("GET /api/products", {})).body.products).toEqual([]);
  const params = { id: preview.id };
  expect((await api("POST /api/products/imports/{id}/commit", { params })).status).toBe(202);
  expect(await read(api, preview.id)).toMatchObject({ status: "succeeded", created: 2 });
  const { products } = (await api("GET /api/products", {})).body;
  expect(products.map(({ sku, price }) => [sku, price])).toEqual([
    ["P-2", 1_800],
    ["P-1", 12.5],
  ]);
  const again = await api("POST /api/products/imports/{id}/commit", { params });
  expect([again.status, again.error?.code]).toEqual([409, "invalid_transition"]);
});

test("with commit a file is imported at once, wherever the field is; the report lists the rejected rows", async () => {
  const { api } = await member("advertiser");
  const file = `${header}\nPot,P-1,Tea,12\nLid,,Tea,1\nPan,3.65275E+11,Tea,"1,800"`;
  for (const last of [false, true]) {
    const sent = await post(api, { commit: "true" }, { file, last });
    expect(await read(api, sent.import?.id)).toMatchObject({
      status: "succeeded",
      created: last ? 0 : 1,
      updated: last ? 1 : 0,
      rejected: 2,
      errors: [
        { row: 3, column: "sku", message: "SKU is missing" },
        { row: 4, column: "price", message: expect.stringMatching(/^1,800 is ambiguous/) },
      ],
    });
  }
});

test("deriving missing values of a store's export is off by default", async () => {
  const { api } = await member("publisher");
  const file = "Handle,Title,Option1 Value,Variant SKU,Variant Price\nmug,Mug,Blue,,9\n";
  const strict = await post(api, { commit: "true" }, { file });
  expect(await read(api, strict.import?.id)).toMatchObject({ status: "succeeded", created: 0, rejected: 1 });
  const helped = await post(api, { commit: "true", derive_sku: "true", default_category: "Cups" }, { file });
  expect(await read(api, helped.import?.id)).toMatchObject({
    dialect: "shopify-legacy",
    created: 1,
    derived_skus: 1,
    default_categories: 1,
  });
});

test("a file that cannot be imported is rejected with a message", async () => {
  const { api } = await member("advertiser");
  const rejectionOf = async (fields: Record<string, string>, file: string) => {
    const { status, error, import: created } = await post(api, fields, { file });
    return error ? [status, error.code] : [status, (await read(api, created?.id)).error];
  };
  expect(await rejectionOf({ commit: "true" }, "a,b\n1,2")).toEqual([
    202,
    "No column found for Product name. Columns found: a, b. Send the name of its column as column_name.",
  ]);
  expect(await rejectionOf({}, "")).toEqual([202, "The file is empty. Choose another file."]);
  expect(await rejectionOf({ default_category: "x".repeat(300) }, pots)).toEqual([422, "invalid_input"]);
  const noForm = await send(
    new Request(`${origin}/api/products/imports`, {
      method: "POST",
      headers: { ...api.headers, "Content-Type": "application/json" },
      body: "{}",
    }),
  );
  expect(noForm.status).toBe(415);
});

test("the same key is the same import, and an import belongs to its account", async () => {
  const { api } = await member("advertiser");
  const key = crypto.randomUUID();
  const one = await post(api, { commit: "true" }, { key });
  await waitForBackgroundTasks();
  const other = await post(api, { commit: "true" }, { key });
  expect([other.import?.id, one.isReplayed, other.isReplayed]).toEqual([one.import?.id, false, true]);
  const otherFile = await post(api, { commit: "true" }, { key, file: `${header}\nLid,P-3,Tea,2\n` });
  const otherFields = await post(api, { commit: "true", derive_sku: "true" }, { key });
  for (const { status, error } of [otherFile, otherFields])
    expect([status, error?.code]).toEqual([422, "idempotency_conflict"]);
  expect((await api("GET /api/products", {})).body.products).toHaveLength(2);
  const stranger = (await member("advertiser")).api;
  const params = { id: one.import?.id ?? "" };
  for (const name of [
    "GET /api/products/imports/{id}",
    "POST /api/products/imports/{id}/commit",
    "POST /api/products/imports/{id}/discard",
  ] as const) {
    expect((await stranger(name, { params })).status).toBe(404);
  }
  const waiting = await post(api, {});
  await waitForBackgroundTasks();
  const discarded = await api("POST /api/products/imports/{id}/discard", {
    params: { id: waiting.import?.id ?? "" },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
  expect(discarded.body.import.status).toBe("discarded");
});

test("a rejected file is not that of another file with its key", async () => {
  const { api } = await member("publisher");
  const key = crypto.randomUUID();
  const rejected = await post(api, {}, { key, file: "%PDF-1.7\n" });
  expect((await read(api, rejected.import?.id))?.status).toBe("failed");
  expect((await post(api, {}, { key, file: "%PDF-1.7\n" })).import?.id).toBe(rejected.import?.id);
  const mended = await post(api, {}, { key });
  expect([mended.status, mended.error?.code]).toEqual([422, "idempotency_conflict"]);
});

test.each([
  ["fields", { default_category: "x".repeat(300) }, pots, [422, "invalid_input"]],
  ["too large a file", {}, `${header}\n`.padEnd(200_000, "x\n"), [413, "too_large"]],
])("an import that is refused for its %s is refused again with its key", async (_, fields, file, refused) => {
  const limit = vi.spyOn(importLimits, "bytes", "get").mockReturnValue(100_000);
  onTestFinished(() => limit.mockRestore());
  const { api } = await member("publisher");
  const key = crypto.randomUUID();
  const first = await post(api, fields, { key, file });
  expect([first.status, first.error?.code]).toEqual(refused);
  expect(await post(api, fields, { key, file })).toEqual(first);
  const mended = await post(api, {}, { key });
  expect([mended.status, mended.error?.code]).toEqual([422, "idempotency_conflict"]);
});

test("an import that failed on our side takes its own file again with its key, and no other", async () => {
  const { api } = await member("publisher");
  const key = crypto.randomUUID();
  const first = await post(api, {}, { key });
  await waitForBackgroundTasks();
  const id = parseId<ImportId>(first.import?.id) ?? expect.fail("no import");
  await db()
    .update(productImports)
    .set({ status: "failed", error: importFailedOnOurSide, finishedAt: new Date() })
    .where(eq(productImports.id, id));
  for (const [fields, file] of [
    [{ commit: "true" }, `${header}\nLid,P-3,Tea,2\n`],
    [{ commit: "true" }, pots],
    [{}, "%PDF-1.7\n"],
  ] as const) {
    const other = await post(api, fields, { key, file });
    expect([other.status, other.error?.code]).toEqual([422, "idempotency_conflict"]);
    expect(await read(api, id)).toMatchObject({ status: "failed", error: importFailedOnOurSide });
  }
  expect((await api("GET /api/products", {})).body.products).toEqual([]);
  expect(await post(api, {}, { key })).toMatchObject({ status: 202, isReplayed: false, import: { id } });
  expect(await read(api, id)).toMatchObject({ status: "previewed", created: 2 });
});

test("a commit with a key continues after its response, like one without", async () => {
  const { api } = await member("publisher");
  const preview = await post(api, {});
  await waitForBackgroundTasks();
  const params = { id: preview.import?.id ?? "" };
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const commit = () => api("POST /api/products/imports/{id}/commit", { params, headers });
  const committed = await Promise.all([commit(), commit()]);
  expect(committed.map(({ status }) => status)).toEqual([202, 202]);
  expect(committed.filter((response) => response.headers.has("Idempotent-Replayed"))).toHaveLength(1);
  expect(await read(api, params.id)).toMatchObject({ status: "succeeded", created: 2 });
  const again = await commit();
  expect([again.status, again.body.import, again.headers.get("Idempotent-Replayed")]).toEqual([
    202,
    await read(api, params.id),
    "true",
  ]);
  const discard = await api("POST /api/products/imports/{id}/discard", { params, headers });
  expect([discard.status, discard.error?.code]).toEqual([422, "idempotency_conflict"]);
});

test("a file is read with the columns, header row and currency that are sent with it", async () => {
  const { api, byKey } = await member("advertiser");
  const file = "Pots 2026;;;\nWare;Nummernkreis;Regal;Ladenpreis\nKanne;1;Tee;12,50\n";
  const columns = {
    column_name: "Ware",
    column_sku: "Nummernkreis",
    column_category: "Regal",
    column_price: "Ladenpreis",
  };
  const sent = await post(byKey, { ...columns, header_row: "2", commit: "true" }, { file });
  expect(await read(api, sent.import?.id)).toMatchObject({
    status: "succeeded",
    created: 1,
    skipped: 1,
    header_row: 2,
    guessed_fields: [],
    currency_source: "assumed",
  });
  const foreign = await post(byKey, { ...columns, header_row: "2", currency: "clp" }, { file });
  expect(await read(api, foreign.import?.id)).toMatchObject({
    rejected: 1,
    currency_source: "chosen",
    errors: [{ row: 3, column: "Ladenpreis", message: "This price is in CLP. Use US dollars." }],
  });
  const wrong = await post(byKey, { currency: "XXY", header_row: "0" }, { file });
  expect([wrong.status, wrong.error?.fields]).toEqual([
    422,
    { currency: ["Enter a currency code, such as USD"], header_row: ["Enter the number of a row"] },
  ]);
});

test("a product feed in XML is imported", async () => {
  const { api, byKey } = await member("publisher");
  const item =
    "<g:id>F-1</g:id><title>Mug</title><link>x</link><g:price>9 USD</g:price><g:product_type>Cups</g:product_type>";
  const file = `<?xml version="1.0"?><rss xmlns:g="g"><channel><item>${item}</item></channel></rss>`;
  const sent = await post(byKey, { commit: "true" }, { file });
  expect(await read(api, sent.import?.id)).toMatchObject({ status: "succeeded", dialect: "merchant-feed", created: 1 });
});
