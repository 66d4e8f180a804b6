import { expect, test } from "vitest";
import { keysOfFile, keysOfRequest } from "#app/domain/delivery/row-keys.server.ts";

const kinds = { keysOfFile, keysOfRequest };

test.each(Object.entries(kinds))("%s: each key of many is new once", (_, open) => {
  const keys = open();
  const all = Array.from({ length: 100_000 }, (_, index) => `campaign ${index % 7} 2026-11-${index}`);
  expect(all.filter((key) => !keys.add(key))).toEqual([]);
  expect(all.filter((key) => keys.add(key))).toEqual([]);
  expect(keys.add("another")).toBe(true);
});
