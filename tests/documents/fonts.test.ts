import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "../../app/documents/fonts");

test("the two font files of documents are 0.69 MB together", () => {
  const fonts = readdirSync(folder).filter((name) => name.endsWith(".ttf"));
  const bytes = fonts.map((name) => statSync(join(folder, name)).size);
  expect(fonts).toHaveLength(2);
  expect((bytes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(2)).toBe("0.69");
});
