import { expect, test } from "vitest";
import { statementsWorthPreparing } from "#db/worth-preparing.ts";

test("a statement is prepared from its second time on", () => {
  const isWorth = statementsWorthPreparing();
  expect(["a", "b", "a", "a", "c", "b"].map(isWorth)).toEqual([false, false, true, true, false, true]);
});

test("statements of ever new texts never fill the server", () => {
  const isWorth = statementsWorthPreparing();
  const texts = Array.from({ length: 5_000 }, (_, n) => `in (${n})`);
  const prepared = texts.filter((text) => isWorth(text) || isWorth(text));
  expect(prepared.length).toBe(250);
  expect(isWorth(prepared[0] ?? "")).toBe(true);
});

test("a search is planned anew for its words", () => {
  const isWorth = statementsWorthPreparing();
  const search = 'select "id" from "campaigns" where "campaigns"."name" ilike $1';
  expect([search, search, search].map(isWorth)).toEqual([false, false, false]);
});
