import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPrice, styleShown } from "#app/domain/catalog/imports/reading/read-price.ts";

const read = (text: string, style?: "dot" | "comma") => {
  const answer = readPrice(text, style);
  return "cents" in answer ? answer.cents : answer.problem;
};

describe("a price", () => {
  test.each([
    ["12", 1_200],
    ["0", 0],
    ["12.5", 1_250],
    ["12,5", 1_250],
    ["12.50", 1_250],
    ["1,234.50", 123_450],
    ["1.234,50", 123_450],
    ["$ 12", 1_200],
    ["$12.00", 1_200],
    ["US$ 12", 1_200],
    ["19.99 USD", 1_999],
    ["USD 19.99", 1_999],
    ["19.99 usd", 1_999],
    ["1 234,50", 123_450],
    ["1\u00a0234,50", 123_450],
    ["1'234.50", 123_450],
    ["1,234,567", 123_456_700],
    ["1.234.567,89", 123_456_789],
    ["12.5000", 1_250],
    ["12.", 1_200],
    [".5", 50],
    ["0,500", 50],
    ["007", 700],
    ["10,000,000", 1_000_000_000],
    ["1234.50", 123_450],
    ["1234,5", 123_450],
  ])("%s is read", (text, cents) => {
    expect(read(text)).toBe(cents);
  });

  test.each([
    ["-1", "A price cannot be negative"],
    ["$ -1", "A price cannot be negative"],
    ["-$1", "A price cannot be negative"],
    ["NaN", "This is not a price in US dollars, such as 12 or 12.50"],
    ["Infinity", "This is not a price in US dollars, such as 12 or 12.50"],
    ["free", "This is not a price in US dollars, such as 12 or 12.50"],
    ["12 apples", "This is not a price in US dollars, such as 12 or 12.50"],
    ["1,23,456", "This is not a price in US dollars, such as 12 or 12.50"],
    ["1.2.3", "This is not a price in US dollars, such as 12 or 12.50"],
    ["0x10", "This is not a price in US dollars, such as 12 or 12.50"],
    ["１２", "This is not a price in US dollars, such as 12 or 12.50"],
    ["10,000,000.01", "A price is at most $10,000,000"],
    ["99999999999999999999", "A price is at most $10,000,000"],
    ["12.345", "12.345 can be read in two ways"],
    ["1234.567", "A price has at most two decimals"],
    ["0.125", "A price has at most two decimals"],
    ["1.5E+3", "A spreadsheet wrote this price in scientific notation"],
    ["1e400", "A spreadsheet wrote this price in scientific notation"],
    ["19.99 EUR", "Prices are in US dollars; this one is in EUR"],
    ["€ 12", "Prices are in US dollars; this one is in EUR"],
    ["12 £", "Prices are in US dollars; this one is in GBP"],
  ])("%s is refused in words", (text, words) => {
    expect(read(text)).toContain(words);
  });

  test("like 1,800 is read as its column shows, and refused when it shows nothing", () => {
    expect(read("1,800")).toMatch(/^1,800 can be read in two ways/);
    expect([read("1,800", "dot"), read("1,800", "comma")]).toEqual([180_000, 180]);
    expect([read("1.800", "dot"), read("1.800", "comma")]).toEqual([180, 180_000]);
    expect(read("1,805", "comma")).toBe("A price has at most two decimals");
    const shown = ["1,234.50", "1.234,50", "12.5", "12,5", "1,234,567", "1.234.567", "1,800", "12", "x", "0,500"];
    expect(shown.map(styleShown)).toEqual([
      "dot",
      "comma",
      "dot",
      "comma",
      "dot",
      "comma",
      undefined,
      undefined,
      undefined,
      "comma",
    ]);
  });

  test("written in either way is the same amount, to the cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (cents) => {
        const dot = (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
        const comma = (cents / 100).toLocaleString("de-DE", { minimumFractionDigits: 2 });
        expect([read(dot), read(comma), read(`$${dot}`), read(`${comma} USD`)]).toEqual([cents, cents, cents, cents]);
      }),
    );
  });

  test("never fails, whatever stands in the cell", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.,$ USDE+-]{0,20}$/)), (text) => {
        const answer = read(text);
        expect(typeof answer === "string" || (Number.isSafeInteger(answer) && answer >= 0)).toBe(true);
      }),
    );
  });
});
