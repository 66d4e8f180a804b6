import { expect, test } from "vitest";
import { preparedStatementPolicy } from "#db/prepared-statement-policy.ts";

test("a statement is prepared from its second time on", () => {
  const isWorth = preparedStatementPolicy();
  expect(["a", "b", "a", "a", "c", "b"].map(isWorth)).toEqual([false, false, true, true, false, true]);
});

test("statements with ever new texts do not accumulate on the server", () => {
  const isWorth = preparedStatementPolicy();
  const texts = Array.from({ length: 5_000 }, (_, n) => `in (${n})`);
  const prepared = texts.filter((text) => isWorth(text) || isWorth(text));
  expect(prepared.length).toBe(250);
  expect(isWorth(prepared[0] ?? "")).toBe(true);
});

test("a search is planned anew for its words", () => {
  const isWorth = preparedStatementPolicy();
  const search = 'select "id" from "campaigns" where "campaigns"."name" ilike $1';
  expect([search, search, search].map(isWorth)).toEqual([false, false, false]);
});
