import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { layoutPages } from "#app/documents/page-layout.ts";
import type { PdfDocument } from "#app/documents/paper-document.ts";
import { writePdf } from "#app/documents/write-pdf.server.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";

const made = new Date("2026-11-21T12:00:00Z");
const createDocument = (more: Partial<PdfDocument> = {}): PdfDocument => ({
  title: "Payout of $63.00",
  subtitle: "Harbor Goods · Nov 21, 2026",
  issuer: "Endcap",
  createdAt: made,
  facts: [{ label: "Goes to", value: "Sandbox Bank ending 6789" }],
  table: {
    columns: [
      { head: "Campaign", width: 4 },
      { head: "Your earnings", width: 2, right: true },
    ],
    rows: [["Ridgeline Packs", "$63.00"]],
    totals: ["Total", "$63.00"],
  },
  ...more,
});

async function bytesOf(document: PdfDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writePdf(document)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

async function readBack(document: PdfDocument): Promise<string[]> {
  return readPages(await getDocumentProxy(await bytesOf(document)));
}

async function readPages(proxy: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string[]> {
  return (await extractText(proxy, { mergePages: false })).text;
}

describe("a PDF document", () => {
  test("contains all its texts, with letters beyond ASCII too", async () => {
    const names = ["Żółta Łódź", "Ελληνικά", "Кириллица", "Ångström & Søn", "Đặng"];
    const [page = ""] = await readBack(
      createDocument({ table: { ...createDocument().table, rows: names.map((name) => [name, "−$1,234.50"]) } }),
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

  test("continues over pages, each with the table header and page number, and loses no row", async () => {
    const rows = Array.from({ length: 140 }, (_, at) => [`Campaign number ${at + 1}.`, `$${at}.00`]);
    const pages = await readBack(createDocument({ table: { ...createDocument().table, rows }, note: "The end of it" }));
    expect(pages.length).toBeGreaterThan(4);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain("Your earnings");
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    const all = pages.join("\n");
    for (const [name = ""] of rows) expect(all.split(name)).toHaveLength(2);
    expect(pages.at(-1)).toContain("The end of it");
  });

  test("may be wider than high, with as many pages as its rows then need", async () => {
    const rows = Array.from({ length: 70 }, (_, at) => [`Campaign number ${at + 1}.`, `$${at}.00`]);
    const document = createDocument({ isLandscape: true, table: { ...createDocument().table, rows } });
    const proxy = await getDocumentProxy(await bytesOf(document));
    expect((await proxy.getPage(1)).view).toEqual([0, 0, 792, 612]);
    expect(proxy.numPages).toBe(layoutPages(document).length);
    expect(proxy.numPages).toBeGreaterThan(layoutPages({ ...document, isLandscape: false }).length);
    const all = (await readPages(proxy)).join("\n");
    for (const [name = ""] of rows) expect(all.split(name)).toHaveLength(2);
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
  ])("is broken by no name, in its rows either: %j", async (name) => {
    const document = createDocument({
      title: name,
      subtitle: name,
      table: {
        ...createDocument().table,
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

  test("has no empty boxes: letters that its font does not have are written in others", async () => {
    const names = [
      ["北京咖啡", "BeiJingKaFei"],
      ["서울 커피", "SeoUl KeoPi"],
      ["قهوة", "qhwh"],
      ["Café ☕ Nord", "Café :coffee: Nord"],
      ["🏕️ Camp", ":camping: Camp"],
      ["Zażółć Ωμέγα Привет “—”", "Zażółć Ωμέγα Привет “—”"],
      ["\u{10fffd}x", "?x"],
    ] as const;
    const rows = names.map(([name], at) => [name, `$${at}.00`]);
    const [page] = await readBack(createDocument({ table: { ...createDocument().table, rows } }));
    for (const [at, [, written]] of names.entries()) expect(page).toContain(`${written} $${at}.00`);
  });

  test("arrives a page at a time, with the shared objects last", async () => {
    const rows = Array.from({ length: 160 }, (_, at) => [`Campaign number ${at + 1}.`, `$${at}.00`]);
    const chunks: string[] = [];
    for await (const chunk of writePdf(createDocument({ table: { ...createDocument().table, rows } }))) {
      chunks.push(Buffer.from(chunk).toString("latin1"));
    }
    const pages = chunks.slice(0, -1);
    expect(chunks[0]).toMatch(/^%PDF-/);
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages) expect(page.split("/Type /Page\n")).toHaveLength(2);
    expect(chunks.at(-1)).toMatch(/%%EOF\s*$/);
  });

  // The usual run has those around the end of the first page and the end of the second one.
  const counts = isFullFaultRun
    ? [0, 1, 25, 26, 27, 28, 29, 30, 56, 57, 58, 59, 60, 61]
    : [0, 25, 26, 27, 28, 57, 58, 59, 60];
  test.each(counts.flatMap((count) => [[count, true] as const, [count, false] as const]))(
    "%d rows, with totals and note (%s): each page shows the number of pages",
    async (count, more) => {
      const rows = Array.from({ length: count }, (_, at) => [`Row ${at + 1}.`, "$1.00"]);
      const { totals, ...table } = createDocument().table;
      const pages = await readBack(
        more
          ? createDocument({ table: { ...table, totals, rows }, note: "The end of it" })
          : createDocument({ table: { ...table, rows } }),
      );
      for (const [at, page] of pages.entries()) expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
      for (const [name = ""] of rows) expect(pages.join("\n").split(`${name} `)).toHaveLength(2);
      if (more) expect(pages.at(-1)).toContain("The end of it");
    },
  );

  test("is the same bytes each time", async () => {
    const [one, other] = [await bytesOf(createDocument()), await bytesOf(createDocument())];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
  });
});
