import fc from "fast-check";
import { expect, test } from "vitest";
import { htmlToText } from "#app/domain/catalog/imports/parsing/html-to-text.ts";

test.each([
  ["<p>Warm &amp; light.</p><p>Two pockets.</p>", "Warm & light.\n\nTwo pockets."],
  ["One<br>two<br/>three", "One\ntwo\nthree"],
  ["<ul><li>Cotton</li><li>Wool</li></ul>", "Cotton\n\nWool"],
  ["5 < 6 and a <b>bold</b> word", "5 < 6 and a bold word"],
  ["Caf&eacute; &#8211; &hellip; &nbsp; &lt;b&gt;", "Café – … <b>"],
  ["a<script>alert('<p>')</script>b<style>p { }</style>c", "abc"],
  ["a<SCRIPT src=x>evil</ScRiPt >b", "ab"],
  ["a<!-- a <b> comment -->b<!-- never closed", "ab"],
  ['a<img alt="5 > 4" src=x>b', "ab"],
  ["a<script>never closed", "a"],
  ["Line one\\nline two\\r\\nthree", "Line one\nline two\nthree"],
  ["  spaces   and\ttabs  ", "spaces and tabs"],
  ["İİİ<script>x</script>İ", "İİİİ"],
  ["a < b", "a < b"],
  ["<", "<"],
  ["<3", "<3"],
])("%j is read as %j", (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test("any text is converted quickly and contains no script tag", () => {
  const piece = fc.constantFrom(
    "<script>",
    "</script>",
    "<p>",
    "<a href='",
    "<!--",
    "-->",
    "&lt;",
    "x",
    '"',
    "\\n",
    ">",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(htmlToText(pieces.join(""))).not.toMatch(/<script>x/);
    }),
  );
  // Processor time, which does not count what else the machine does.
  const before = process.cpuUsage();
  htmlToText("<script></script>".repeat(60_000));
  htmlToText("<a '".repeat(250_000));
  htmlToText("<".repeat(1_000_000));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});
