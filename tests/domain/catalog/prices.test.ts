import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectDecimalSeparator, parsePrice } from "#app/domain/catalog/imports/parsing/parse-price.ts";

const read = (text: string, style?: "dot" | "comma") => {
  const answer = parsePrice(text, style);
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
    ["-1", "Price can't be negative"],
    ["$ -1", "Price can't be negative"],
    ["-$1", "Price can't be negative"],
    ["NaN", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["Infinity", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["free", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["12 apples", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["1,23,456", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["1.2.3", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["0x10", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["１２", "Not a valid price. Use US dollars, such as 12 or 12.50."],
    ["10,000,000.01", "Price can't exceed $10,000,000"],
    ["99999999999999999999", "Price can't exceed $10,000,000"],
    ["12.345", "12.345 is ambiguous"],
    ["1234.567", "Use up to two decimals"],
    ["0.125", "Use up to two decimals"],
    ["1.5E+3", "This price is in scientific notation"],
    ["1e400", "This price is in scientific notation"],
    ["19.99 EUR", "This price is in EUR. Use US dollars."],
    ["€ 12", "This price is in EUR. Use US dollars."],
    ["12 £", "This price is in GBP. Use US dollars."],
  ])("%s is rejected with a message", (text, message) => {
    expect(read(text)).toContain(message);
  });

  test("that is longer than any is rejected at once, whatever it is made of", () => {
    const [blanks, ones] = [" ".repeat(2_000), "1".repeat(2_000)];
    for (const text of [`abc${blanks}${ones}!`, `-${blanks}x`, `1${blanks.repeat(50)}1`, `${"1 ".repeat(2_000)}!`]) {
      const begun = performance.now();
      expect([read(text), detectDecimalSeparator(text)]).toEqual([expect.stringContaining("Not a valid"), undefined]);
      expect(performance.now() - begun).toBeLessThan(500);
    }
    expect(read(`${blanks}12.50 USD${blanks}`)).toBe(1_250);
  });

  test("like 1,800 is read as its column shows, and rejected when that shows nothing", () => {
    expect(read("1,800")).toMatch(/^1,800 is ambiguous/);
    expect([read("1,800", "dot"), read("1,800", "comma")]).toEqual([180_000, 180]);
    expect([read("1.800", "dot"), read("1.800", "comma")]).toEqual([180, 180_000]);
    expect(read("1,805", "comma")).toBe("Use up to two decimals");
    const shown = ["1,234.50", "1.234,50", "12.5", "12,5", "1,234,567", "1.234.567", "1,800", "12", "x", "0,500"];
    expect(shown.map(detectDecimalSeparator)).toEqual([
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

  test("in either notation is the same amount, to the cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (cents) => {
        const dot = (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
        const comma = (cents / 100).toLocaleString("de-DE", { minimumFractionDigits: 2 });
        expect([read(dot), read(comma), read(`$${dot}`), read(`${comma} USD`)]).toEqual([cents, cents, cents, cents]);
      }),
    );
  });

  test("never throws, whatever the cell contains", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.,$ USDE+-]{0,20}$/)), (text) => {
        const answer = read(text);
        expect(typeof answer === "string" || (Number.isSafeInteger(answer) && answer >= 0)).toBe(true);
      }),
    );
  });
});
