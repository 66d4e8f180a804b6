import { describe, expect, test } from "vitest";
import { typeFindings } from "./example-project.ts";

/** A mistake for each setting of tsconfig.json that the project relies on. */
const mistakes = `import { Later } from "./types.ts";
type Status = "draft" | "active";
type Row = { id: string; status: Status; budget?: number };
const row: Row = { id: "1", status: "active", bugdet: 5 };
const status: Status = "paused";
const first: string = ["a"][5];
function label(value: Status) {
  switch (value) {
    case "draft":
      row.id.length;
    case "active":
      return value;
  }
}
class Base { run() {} }
class Derived extends Base { run() {} }
const size: number = row.budget;
const later: Later = await Promise.resolve({ at: "now" });
export { label, Derived, first, status, size, later };
`;
const files = { "app/mistakes.ts": mistakes, "app/types.ts": "export type Later = { at: Date };\n" };

describe("the native compiler and the editors' compiler", () => {
  test("find the same mistakes", async () => {
    const found = await typeFindings(files, "typescript-native");
    expect(found).toEqual(await typeFindings(files, "typescript"));
    expect(found).toEqual([
      "app/mistakes.ts:1 TS1484",
      "app/mistakes.ts:16 TS4114",
      "app/mistakes.ts:17 TS2322",
      "app/mistakes.ts:18 TS2322",
      "app/mistakes.ts:4 TS2561",
      "app/mistakes.ts:5 TS2322",
      "app/mistakes.ts:6 TS2322",
      "app/mistakes.ts:9 TS7029",
    ]);
  });
});
