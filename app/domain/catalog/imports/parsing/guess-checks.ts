import type { ImportField } from "../catalog-import.ts";
import { importFieldLabels } from "../catalog-import.ts";
import type { ColumnPlan } from "./column-plan.ts";
import type { RowView } from "./row-view.ts";

/** With fewer rows, equal values are usual. */
const minRows = 5;
const checked = ["name", "sku", "category", "price"] as const satisfies readonly ImportField[];
type Checked = (typeof checked)[number];

/** Looks for columns that hardly hold what they were taken for. */
export class GuessChecks {
  readonly fields: readonly Checked[];
  private readonly plan: ColumnPlan;
  private readonly values = new Map<Checked, Set<string>>();
  private rows = 0;
  private readonly withLetters = new Set<Checked>();

  constructor(plan: ColumnPlan) {
    this.plan = plan;
    const isAutomatic = (field: Checked) =>
      plan.guessed.has(field) || (field === "category" && !plan.chosen.has(field));
    this.fields = checked.filter(isAutomatic);
  }

  scan(row: RowView): void {
    this.rows += 1;
    for (const field of this.fields) {
      const value = row.text(field);
      if (value === "") continue;
      const values = this.values.get(field) ?? new Set();
      // Two values are enough to know that they differ.
      if (values.size < 2) this.values.set(field, values.add(value));
      if (/\p{L}/u.test(value)) this.withLetters.add(field);
    }
  }

  /** Returns what is odd, with the name of each column. */
  oddColumns(): { column: string; message: string }[] {
    return this.fields.flatMap((field) => {
      const [place] = this.plan.columns.get(field) ?? [];
      const values = this.values.get(field);
      if (place === undefined || !values) return [];
      const column = this.plan.header[place] ?? "";
      const label = importFieldLabels[field];
      const [only] = values;
      const isGuessed = this.plan.guessed.has(field);
      const guess = `${label} was guessed to be “${shorten(column)}”`;
      if (isGuessed && values.size === 1 && this.rows >= minRows)
        return [{ column, message: `${guess}, but all rows have the same value, “${shorten(only ?? "")}”. Check it.` }];
      const needsLetters = field === "category" || (field === "name" && isGuessed);
      if (needsLetters && !this.withLetters.has(field))
        return [
          {
            column,
            message: `${label} is read from “${shorten(column)}”, but its values look like numbers or IDs. Check it.`,
          },
        ];
      return [];
    });
  }
}

function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, " ")];
  return characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : characters.join("");
}
