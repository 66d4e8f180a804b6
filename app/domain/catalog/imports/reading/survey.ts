import type { ColumnPlan } from "./column-plan.ts";
import { type PriceStyle, styleShown } from "./read-price.ts";
import { RowView } from "./row-view.ts";

export type Parent = { sku: string; name: string; category: string; brand: string; image: string; description: string };

/** What a single row does not know: how the column of prices is written, and the parents of variations. */
export type TableFacts = { priceStyle: PriceStyle | undefined; parents: ReadonlyMap<string, Parent> };

/** Looks at all rows before the first is read. */
export class Survey {
  private readonly plan: ColumnPlan;
  private readonly styles = new Set<PriceStyle>();
  private readonly parents = new Map<string, Parent>();

  constructor(plan: ColumnPlan) {
    this.plan = plan;
  }

  /** The columns it looks at. */
  get wanted(): ReadonlySet<number> {
    return this.plan.dialect === "woocommerce" ? this.plan.wanted : new Set(this.plan.fields.get("price"));
  }

  look(cells: readonly (string | undefined)[]): void {
    for (const place of this.plan.fields.get("price") ?? []) {
      const style = styleShown(cells[place] ?? "");
      if (style) this.styles.add(style);
    }
    if (this.plan.dialect === "woocommerce") this.noteParent(new RowView(this.plan, cells));
  }

  /** A column that is written in both ways shows nothing. */
  facts(): TableFacts {
    const [priceStyle, another] = this.styles;
    return { priceStyle: another ? undefined : priceStyle, parents: this.parents };
  }

  /** A variation names its parent by its SKU, or by `id:` and its number. */
  private noteParent(row: RowView): void {
    if (!/\bvariable/i.test(row.further("type"))) return;
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
    this.parents.set(`id:${row.further("id")}`, parent);
  }
}
