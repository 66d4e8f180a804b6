import { expect, test } from "vitest";
import { csvResponse, escapeFormula, toCsv } from "#app/web/csv.ts";

test.each([
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  "﹢1",
  "﹣1",
  "﹦1",
  "﹫x",
  " =1+1",
  "\u00a0=1",
  "\n=1",
  "\r=1",
  "\t=1",
])("text that a spreadsheet may run as a formula is marked as text: %j", (text) => {
  expect(escapeFormula(text)).toBe(`'${text}`);
});

test("other text is unchanged", () => {
  for (const text of ["", "a=b", "a@b.example", "1-2", "Café ＝"]) expect(escapeFormula(text)).toBe(text);
});

test("a cell is never a formula, and numbers stay numbers", () => {
  expect(toCsv([["=1+1", "+1***", "-x", "@y", "\tz", 'say "hi"', "a,b", -5]])).toBe(
    `'=1+1,'+1***,'-x,'@y,'\tz,"say ""hi""","a,b",-5\r\n`,
  );
});

test("a download is generated when it is read, and not for HEAD, whose body is dropped", async () => {
  let started = false;
  const response = csvResponse(
    "two.csv",
    (async function* () {
      started = true;
      yield [["a"]];
      yield [["b"]];
    })(),
  );
  await new Promise(setImmediate);
  expect(started).toBe(false);
  expect(await response.text()).toBe("a\r\nb\r\n");
});

test("a download begins with a byte-order mark, once, and its first cell is no formula behind it", async () => {
  const response = csvResponse(
    "two.csv",
    (async function* () {
      yield [["=Café"]];
      yield [["@b"]];
    })(),
  );
  // `text()` would leave the mark out.
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe("\uFEFF'=Café\r\n'@b\r\n");
});
