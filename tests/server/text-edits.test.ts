import { expect, test } from "vitest";
import { applyEdits, cut, replace, replaceAll, stub } from "#server/bundle/text-edits.ts";

const code = "function a(x) { return x }\nif (flag) { one() } else { two() }\nif (flag) { three() }";

test("edits replace a text, every match of a pattern, a part and a function", () => {
  expect(applyEdits(code, [replace("one()", "1")], "f.js")).toContain("if (flag) { 1 }");
  expect(applyEdits(code, [replaceAll(/\bflag\b/g, "true")], "f.js").match(/if \(true\)/g)).toHaveLength(2);
  expect(applyEdits(code, [cut("one()", " } else", "0")], "f.js")).toContain("if (flag) { 0 } else { two() }");
  expect(applyEdits(code, [stub("a", "", "return 1")], "f.js")).toMatch(
    /^function a\(\)\{return 1\}function a_unused\(x\)/,
  );
});

test("an edit of a text that the package lacks, or has twice, is an error that names the file", () => {
  for (const edit of [replace("four()", ""), replaceAll(/four/g, ""), cut("four", "two"), cut("one()", "four")]) {
    expect(() => applyEdits(code, [edit], "f.js")).toThrow(/^f\.js (lacks|has nothing)/);
  }
  expect(() => applyEdits(code, [replace("if (flag) {", "")], "f.js")).toThrow(/^f\.js has the text .* twice$/);
  expect(() => applyEdits(code, [cut("if (flag) {", "three")], "f.js")).toThrow(/twice$/);
});
