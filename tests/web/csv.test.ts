import { expect, test } from "vitest";
import { csvOf } from "#app/web/csv.ts";

test("a cell is never a formula, and numbers stay numbers", () => {
  expect(csvOf([["=1+1", "+1***", "-x", "@y", "\tz", 'say "hi"', "a,b", -5]])).toBe(
    `'=1+1,'+1***,'-x,'@y,'\tz,"say ""hi""","a,b",-5\r\n`,
  );
});
