import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnMappingField } from "#app/domain/audiences/column-mapping-payloads.ts";
import { type ColumnMapping, columnUses } from "#app/domain/audiences/files/column-uses.ts";
import { UploadRejectedError } from "#app/domain/audiences/files/upload-rejected-error.ts";
import { describeBlocks, readTexts } from "./read-text.ts";

const peopleOf = (blocks: ReturnType<typeof readTexts>["blocks"]) => new Set(describeBlocks(blocks));
const reference = (text: string) => peopleOf(readTexts([text]).blocks);

/** The layout of a file, whether it is read or rejected because nothing is recognized. */
function layoutOf(text: string, columnOptions = {}) {
  try {
    return readTexts([text], { columnOptions }).layouts[0];
  } catch (error) {
    if (error instanceof UploadRejectedError) return error.layout;
    throw error;
  }
}

const strange = "Kontakt 1;Kontakt 2;Herkunft;Notiz\nann@example.com;030 901820;Deutschland;nett\nbo@example.com;;;";
const chosen: ColumnMapping = {
  columns: { 0: "email", 1: "phone", 2: "country", 3: "ignored" },
  phoneCountry: null,
};

test("a file without recognized columns is rejected with its columns and masked examples", () => {
  expect(() => readTexts([strange])).toThrow("Columns found: Kontakt 1, Kontakt 2, Herkunft, Notiz");
  expect(layoutOf(strange)).toMatchObject({
    headerless: false,
    mappedBy: "detection",
    columns: [
      { name: "Kontakt 1", use: "ignored", detected: "ignored", samples: ["a***@e***", "b***@e***"] },
      { name: "Kontakt 2", samples: ["03***"] },
      { name: "Herkunft", samples: ["D***"] },
      { name: "Notiz", samples: ["n***"] },
    ],
  });
});

test("the names of a narrow table are found below a title", () => {
  const file = "Kunden\nKontakt,Land\nann@example.com,DE\nbo@example.com,AT";
  expect(layoutOf(file)?.columns).toMatchObject([
    { name: "Kontakt", samples: ["a***@e***", "b***@e***"] },
    { name: "Land", detected: "country", samples: ["D***", "A***"] },
  ]);
});

test("a saved mapping reads every file with the same names, and no other", () => {
  const key = layoutOf(strange)?.key ?? "";
  const savedMappings = { [key]: chosen };
  const { blocks, layouts } = readTexts([strange], { columnOptions: { savedMappings } });
  expect(peopleOf(blocks)).toEqual(reference("Email,Phone\nann@example.com,+4930901820\nbo@example.com,"));
  expect(layouts[0]).toMatchObject({
    mappedBy: "account",
    columns: [{ use: "email", detected: "ignored" }, {}, {}, {}],
  });
  const more = strange.replace("Kontakt 1", "Kontakt eins");
  expect(() => readTexts([more], { columnOptions: { savedMappings } })).toThrow("No email or phone column found");
});

test("the country of a mapping counts for numbers in rows without one", () => {
  const key = layoutOf(strange)?.key ?? "";
  const file = strange.replace("Deutschland", "");
  const savedMappings = { [key]: { ...chosen, phoneCountry: "DE" } };
  expect(peopleOf(readTexts([file], { country: "FR", columnOptions: { savedMappings } }).blocks)).toEqual(
    reference("Email,Phone\nann@example.com,+4930901820\nbo@example.com,"),
  );
});

test("a mapping sent with an upload counts by names, below titles too, and instead of a saved one", () => {
  const mapping: ColumnMapping = { columns: { "kontakt 1": "email" }, phoneCountry: null };
  const savedMappings = { [layoutOf(strange)?.key ?? ""]: chosen };
  for (const file of [strange, `Kunden\n\nStand: heute\n${strange}`]) {
    const { blocks, layouts } = readTexts([file], { columnOptions: { mapping, savedMappings } });
    expect(peopleOf(blocks)).toEqual(reference("Email\nann@example.com\nbo@example.com"));
    expect(layouts[0]?.mappedBy).toBe("upload");
  }
  const missing = { ...mapping, columns: { "Kontakt 1": "email", Fax: "phone" } } as const;
  expect(() => readTexts([strange], { columnOptions: { mapping: missing } })).toThrow(
    "The file does not have the columns that the mapping names: Fax. Columns found: Kontakt 1",
  );
});

test("a table without names is recognized again by where its identifiers are", () => {
  const file = "Ann,ann@example.com,030 901820\nBo,bo@example.com,030 901821";
  const layout = layoutOf(file);
  expect(layout).toMatchObject({
    headerless: true,
    columns: [{ name: "Column 1" }, { use: "email" }, { use: "ignored" }],
  });
  const savedMappings = { [layout?.key ?? ""]: { columns: { 2: "phone" }, phoneCountry: "DE" } as const };
  const other = "Cy,cy@example.com,030 901822";
  expect(peopleOf(readTexts([other], { columnOptions: { savedMappings } }).blocks)).toEqual(
    reference("Email,Phone\ncy@example.com,+4930901822"),
  );
});

describe("people who opted out", () => {
  const file = "Email,Unsubscribed,City\nann@example.com,1,Bonn\nbo@example.com,0,Kiel";

  test("leave no example behind, in a recognized file or in another", () => {
    expect(layoutOf(file)?.columns.map(({ samples }) => samples)).toEqual([["b***@e***"], ["0***"], ["K***"]]);
    const unrecognized = file.replace("Email", "Kontakt");
    expect(layoutOf(unrecognized)?.columns.map(({ samples }) => samples)).toEqual([["b***@e***"], ["0***"], ["K***"]]);
  });

  test("stay a column about consent in the layout when they are imported on purpose", () => {
    const layout = layoutOf(file, { includesOptOuts: true });
    expect(layout?.columns[1]).toMatchObject({ use: "opt_out", detected: "opt_out" });
  });

  test("are imported only if the column was mapped to something else", () => {
    const key = layoutOf(file)?.key ?? "";
    const savedMappings = { [key]: { columns: { 1: "ignored" }, phoneCountry: null } as const };
    expect(readTexts([file]).counts.rowsOptedOut).toBe(1);
    expect(readTexts([file], { columnOptions: { savedMappings } }).counts.rowsOptedOut).toBe(0);
  });
});

test("columns that keep people out are counted in the same order by the kernel and the plain reader", () => {
  const mapping: ColumnMapping = { columns: { One: "email", Two: "opt_out", Three: "consent" }, phoneCountry: null };
  const file = "One,Two,Three\nann@example.com,,\nyes,bo@example.com,";
  const [fast, plain] = [false, true].map(
    (withoutKernel) => readTexts([file], { withoutKernel, columnOptions: { mapping, sampledRows: 0 } }).counts.optOuts,
  );
  expect(fast?.map(({ column }) => column)).toEqual(["Three", "Two"]);
  expect(fast).toEqual(plain);
});

test("whatever a mapping says, the kernel and the plain reader read the same, and every row is accounted for", () => {
  const cell = fc.constantFrom(
    "",
    "ann@example.com",
    "bo@example.com",
    "+4930901820",
    "030 901820",
    "DE",
    "yes",
    "no",
    "x",
  );
  const uses = fc.array(fc.constantFrom(...columnUses), { minLength: 3, maxLength: 3 });
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(uses, rows, fc.integer({ min: 0, max: 5 }), (chosenUses, cells, sampledRows) => {
      const file = ["One,Two,Three", ...cells.map((row) => row.join(","))].join("\n");
      const mapping: ColumnMapping = {
        columns: Object.fromEntries(
          ["One", "Two", "Three"].map((name, index) => [name, chosenUses[index] ?? "ignored"]),
        ),
        phoneCountry: "DE",
      };
      fc.pre(chosenUses.some((use) => /^(email|phone)/.test(use)));
      const [fast, plain] = [false, true].map((withoutKernel) =>
        readTexts([file], { withoutKernel, columnOptions: { mapping, sampledRows } }),
      );
      expect(fast?.counts).toEqual(plain?.counts);
      expect(peopleOf(fast?.blocks ?? [])).toEqual(peopleOf(plain?.blocks ?? []));
      expect(fast?.counts.rowsRead).toBe(cells.length);
      expect(JSON.stringify(fast?.layouts)).not.toContain("example.com");
    }),
    { numRuns: 200 },
  );
});

test("a mapping in a form field is JSON of names, uses and a country; anything else gets a message", () => {
  expect(columnMappingField.parse('{"columns":{"Tel":"phone"},"phone_country":"de"}')).toEqual({
    columns: { Tel: "phone" },
    phoneCountry: "DE",
  });
  expect(columnMappingField.parse("")).toBeUndefined();
  const messageOf = (text: string) => columnMappingField.safeParse(text).error?.issues[0]?.message;
  expect(messageOf("{")).toContain("Send JSON such as");
  expect(messageOf('{"columns":{"Tel":"telephone"}}')).toContain("columns.Tel: Use one of email");
  expect(messageOf('{"columns":{"Tel":"phone"},"phone_country":"Atlantis"}')).toBe(
    "phone_country: Choose a country from the list",
  );
});
