import { expect, test } from "vitest";
import { initialsOf } from "#app/ui/format.ts";

test("initials are letters and digits of the first two words", () => {
  expect(initialsOf("Harbor Goods")).toBe("HG");
  expect(initialsOf("Fresh & Co")).toBe("FC");
  expect(initialsOf("3M")).toBe("3");
  expect(initialsOf("élan – öko")).toBe("ÉÖ");
  expect(initialsOf("&")).toBe("");
});
