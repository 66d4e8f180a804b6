import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#app/domain/ids.ts";
import { removeInvisible } from "#app/domain/visible-text.ts";
import { createFormerDatabase, type FormerDatabase } from "#tests/support/database/former-database.ts";

/** The migration that removes invisible characters from SKUs. */
const first = 93;

let database: FormerDatabase;
let owner: Sql;
const [one, other] = [newId<never>() as string, newId<never>() as string];

beforeAll(async () => {
  database = await createFormerDatabase(first);
  ({ owner } = database);
  for (const id of [one, other])
    await owner`insert into accounts (id, type, status, company_name) values (${id}, 'advertiser', 'approved', 'A')`;
});

afterAll(() => database.drop());

async function insertProducts(accountId: string, skus: readonly string[]): Promise<string[]> {
  const ids = skus.map(() => newId<never>() as string);
  await owner`
    insert into products (id, account_id, name, sku, category, price_cents)
    select id, ${accountId}, 'Bowl', sku, 'Kitchen', 1900 from unnest(${ids}::uuid[], ${[...skus]}::text[]) as given (id, sku)`;
  return ids;
}

const skusOf = async (ids: readonly string[]) => {
  const rows = await owner`select id, sku from products where id = any(${[...ids]}::uuid[])`;
  const skuById = new Map(rows.map(({ id, sku }) => [id, sku]));
  return ids.map((id) => skuById.get(id));
};

test("SKUs lose the characters that imports read them without, and no product is lost or changed otherwise", async () => {
  const characters = Array.from({ length: 0x110000 - 1 }, (_, code) => code + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const invisible = characters.filter((character) => removeInvisible(character) === "");
  expect(invisible.length).toBeGreaterThan(3_000);
  const each = await insertProducts(
    one,
    invisible.map((character, index) => `S${index}${character}`),
  );
  const kept = ["A-1", "क्\u200dष", "渡\ufe00", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}\u200b", "\u200b", "é"];
  const visible = await insertProducts(one, kept);
  const twins = await insertProducts(one, ["B", "B\u200b", "C\u200b", "C\u2060", "\ufeff D \u200b"]);
  const blanks = characters.filter((character) => character.trim() === "");
  expect(blanks.length).toBeGreaterThan(20);
  const surrounded = await insertProducts(
    one,
    blanks.map((blank, index) => `\u200b${blank}T${index}${blank}`),
  );
  const foreign = await insertProducts(other, ["B\u200b"]);

  await database.migrate({ attempts: 1, pauseMs: 0 });

  expect(await skusOf(each)).toEqual(invisible.map((_, index) => `S${index}`));
  expect(await skusOf(visible)).toEqual(kept);
  expect(await skusOf(twins)).toEqual(["B", "B\u200b", "C", "C\u2060", "D"]);
  expect(await skusOf(surrounded)).toEqual(blanks.map((_, index) => `T${index}`));
  expect(await skusOf(foreign)).toEqual(["B"]);
});
