import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import type { PaperDocument } from "#app/documents/paper-document.ts";
import { writePdf } from "#app/documents/write-pdf.server.ts";

const made = new Date("2026-11-21T12:00:00Z");
const paper = (more: Partial<PaperDocument> = {}): PaperDocument => ({
  title: "Payout of $63.00",
  subtitle: "Harbor Goods · Nov 21, 2026",
  issuer: "Endcap",
  madeAt: made,
  facts: [{ label: "Goes to", value: "Sandbox Bank ending 6789" }],
  table: {
    columns: [
      { head: "Campaign", width: 4 },
      { head: "Your earning", width: 2, right: true },
    ],
    rows: [["Ridgeline Packs", "$63.00"]],
    totals: ["Total", "$63.00"],
  },
  ...more,
});

async function readBack(document: PaperDocument): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(await writePdf(document)), { mergePages: false });
  return text;
}

describe("a document on paper", () => {
  test("says all that it was given, in letters beyond ASCII too", async () => {
    const names = ["Żółta Łódź", "Ελληνικά", "Кириллица", "Ångström & Søn", "Đặng"];
    const [page = ""] = await readBack(
      paper({ table: { ...paper().table, rows: names.map((name) => [name, "−$1,234.50"]) } }),
    );
    for (const word of [
      "Endcap",
      "Payout of $63.00",
      "Harbor Goods · Nov 21, 2026",
      "Sandbox Bank ending 6789",
      "Total",
    ]) {
      expect(page).toContain(word);
    }
    for (const name of names) expect(page).toContain(name);
    expect(page).toContain("−$1,234.50");
    expect(page).toContain("Page 1 of 1");
  });

  test("goes on over pages, each with the head of the table and its number, and loses no row", async () => {
    const rows = Array.from({ length: 200 }, (_, at) => [`Campaign number ${at + 1}.`, `$${at}.00`]);
    const pages = await readBack(paper({ table: { ...paper().table, rows }, note: "The end of it" }));
    expect(pages.length).toBeGreaterThan(4);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain("Your earning");
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    const all = pages.join("\n");
    for (const [name = ""] of rows) expect(all.split(name)).toHaveLength(2);
    expect(pages.at(-1)).toContain("The end of it");
  });

  test.each([
    "x".repeat(5_000),
    "line\nbreak\u0000\u0007\u2028here",
    "\ud800 lone \udfff",
    "🏕️👩‍👩‍👧 emoji",
    "\u202egnitrevni",
    "مرحبا 日本語 ไทย",
    "<script>alert(1)</script> (\\) %PDF-1.7 endobj",
    "a".repeat(40) + "\u0301".repeat(260),
    "",
  ])("no name breaks it, or its rows: %j", async (name) => {
    const document = paper({
      title: name,
      subtitle: name,
      table: {
        ...paper().table,
        rows: [
          [name, "$63.00"],
          ["After", "$1.00"],
        ],
      },
    });
    const pages = await readBack(document);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/\$63\.00[\s\S]*After\s*\$1\.00/);
  });

  test.each([
    ["北京咖啡", "BeiJingKaFei"],
    ["서울 커피", "SeoUl KeoPi"],
    ["قهوة", "qhwh"],
    ["Café ☕ Nord", "Café :coffee: Nord"],
    ["🏕️ Camp", ":camping: Camp"],
    ["Zażółć Ωμέγα Привет “—”", "Zażółć Ωμέγα Привет “—”"],
    ["\u{10fffd}x", "?x"],
  ])("has no empty boxes: %s is written %s", async (name, written) => {
    const [page] = await readBack(paper({ table: { ...paper().table, rows: [[name, "$1.00"]] } }));
    expect(page).toContain(`${written} $1.00`);
  });

  test("is the same bytes each time", async () => {
    const [one, other] = [await writePdf(paper()), await writePdf(paper())];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
  });
});
