import type { ColumnPlan } from "./column-plan.ts";
import { type DecimalSeparator, detectDecimalSeparator } from "./parse-price.ts";
import { RowView } from "./row-view.ts";

export type ParentProduct = {
  sku: string;
  name: string;
  category: string;
  brand: string;
  image: string;
  description: string;
};

/** Facts that a single row does not show: the decimal separator of the price column and the parents of variations. */
export type TableFacts = {
  decimalSeparator: DecimalSeparator | undefined;
  parents: ReadonlyMap<string, ParentProduct>;
};

/** Scans all rows before the first row is parsed. */
export class FirstPass {
  private readonly plan: ColumnPlan;
  private readonly styles = new Set<DecimalSeparator>();
  private readonly parents = new Map<string, ParentProduct>();

  constructor(plan: ColumnPlan) {
    this.plan = plan;
  }

  /** The columns that the scan reads. */
  get columnsToDecode(): ReadonlySet<number> {
    return this.plan.dialect === "woocommerce" ? this.plan.columnsToDecode : new Set(this.plan.fields.get("price"));
  }

  scan(cells: readonly (string | undefined)[]): void {
    for (const place of this.plan.fields.get("price") ?? []) {
      const style = detectDecimalSeparator(cells[place] ?? "");
      if (style) this.styles.add(style);
    }
    if (this.plan.dialect === "woocommerce") this.recordParent(new RowView(this.plan, cells));
  }

  /** A column that uses both separators shows nothing. */
  facts(): TableFacts {
    const [priceStyle, secondStyle] = this.styles;
    return { decimalSeparator: secondStyle ? undefined : priceStyle, parents: this.parents };
  }

  /** A variation refers to its parent by SKU, or by `id:` and the parent's id. */
  private recordParent(row: RowView): void {
    if (!/\bvariable/i.test(row.extra("type"))) return;
    const sku = row.text("sku");
    const parent = {
      sku,
      name: row.text("name"),
      category: row.text("category"),
      brand: row.text("brand"),
      image: row.text("image"),
      description: row.text("description"),
    };
    if (sku) this.parents.set(sku, parent);
    this.parents.set(`id:${row.extra("id")}`, parent);
  }
}
