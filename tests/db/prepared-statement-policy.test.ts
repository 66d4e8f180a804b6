import { expect, test } from "vitest";
import { preparedStatementPolicy } from "#db/prepared-statement-policy.ts";

test("a statement is prepared from its second time on", () => {
  const isWorth = preparedStatementPolicy();
  expect(["a", "b", "a", "a", "c", "b"].map(isWorth)).toEqual([false, false, true, true, false, true]);
});

/** Asks about each text in turn, `times` times, and returns those that are prepared in the end. */
function use(isWorth: (text: string) => boolean, texts: readonly string[], times: number): string[] {
  return texts.filter((text) => Array.from({ length: times }, () => isWorth(text)).at(-1));
}

const textsOf = (name: string, length: number) => Array.from({ length }, (_, n) => `${name} in (${n})`);

test("statements with ever new texts do not accumulate on the server", () => {
  const isWorth = preparedStatementPolicy();
  const prepared = use(isWorth, textsOf("select", 5_000), 10);
  expect(prepared.length).toBe(250);
  expect(isWorth(prepared[0] ?? "")).toBe(true);
});

test("statements that a start executes a few times leave places for those of every request", () => {
  const isWorth = preparedStatementPolicy();
  expect(use(isWorth, textsOf("insert", 500), 9).length).toBe(125);
  expect(use(isWorth, ["select"], 10)).toEqual(["select"]);
});

test("a statement that was not used for ten minutes gives its place to one that recurs", () => {
  let now = 0;
  const isWorth = preparedStatementPolicy(() => now);
  const [busy = "", ...idle] = use(isWorth, textsOf("select", 300), 10);
  expect(idle.length).toBe(249);
  now = 9 * 60_000;
  expect(isWorth(busy)).toBe(true);
  expect(use(isWorth, ["late"], 20)).toEqual([]);
  now = 11 * 60_000;
  expect(isWorth("late")).toBe(true);
  expect(isWorth(busy)).toBe(true);
  expect(use(isWorth, textsOf("other", 300), 10).length).toBe(248);
  expect(isWorth("late")).toBe(true);
});

test("an insert of so many rows that its plan would take megabytes on each connection is never prepared", () => {
  const isWorth = preparedStatementPolicy();
  const insertOf = (rows: number) =>
    `insert into "mails" values ${Array.from({ length: rows }, (_, row) => `($${2 * row + 1}, $${2 * row + 2})`)}`;
  expect(use(isWorth, [insertOf(10), insertOf(100), insertOf(10_000)], 20)).toEqual([insertOf(10), insertOf(100)]);
});

test("a search is planned anew for its words", () => {
  const isWorth = preparedStatementPolicy();
  const search = 'select "id" from "campaigns" where "campaigns"."name" ilike $1';
  expect([search, search, search].map(isWorth)).toEqual([false, false, false]);
});
