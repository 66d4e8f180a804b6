import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import biomeConfig from "../../biome.json" with { type: "json" };
import { listFiles, root } from "./list-files.ts";

const { lineWidth } = biomeConfig.formatter;

/**
 * Returns the numbers of the lines of a comment that are wider than code may be: the formatter leaves comments as they
 * are.
 */
function findWideComments(text: string): number[] {
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  return lines
    .filter(({ line }) => line.length > lineWidth && /^\s*(\/\/|\/?\*)/.test(line) && !line.includes("biome-ignore"))
    .map(({ number }) => number);
}

test("no comment is wider than the code", () => {
  const files = listFiles().filter((path) => /\.tsx?$/.test(path) && !path.startsWith("test-results"));
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((path) =>
    findWideComments(readFileSync(join(root, path), "utf8")).map((line) => `${path}:${line}`),
  );
  expect(found).toEqual([]);
});

test("wide comments are found in each form; wide strings and suppressions are ignored", () => {
  const wide = "word ".repeat(lineWidth / 5 + 1);
  const lines = [`// ${wide}`, "/**", ` * ${wide}`, " */", `/** ${wide} */`, `const text = "${wide}";`];
  expect(findWideComments([...lines, `  // biome-ignore lint/a: ${wide}`].join("\n"))).toEqual([1, 3, 5]);
});
