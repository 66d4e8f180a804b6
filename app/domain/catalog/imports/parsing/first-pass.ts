import type { CurrencySource, ImportOptions } from "../catalog-import.ts";
import type { ColumnPlan } from "./column-plan.ts";
import type { Role } from "./dialects/dialect-definition.ts";
import { dialectTable } from "./dialects/dialect-table.ts";
import { GuessChecks } from "./guess-checks.ts";
import { type DecimalSeparator, detectDecimalSeparator } from "./parse-price.ts";
import type { RawProduct } from "./raw-product.ts";
import { rowKindOf } from "./row-kinds.ts";
import { RowView } from "./row-view.ts";
import type { TableFacts } from "./table-facts.ts";
import { currencyOfCell, currencyOfHeader, currencyOfPrice } from "./values/currency.ts";
import { readProduct } from "./values/read-product.ts";

const priceRoles = ["price", "sale", "surcharge", "discountAmount"] as const satisfies readonly Role[];

/** Scans all rows before the first row is parsed. */
export class FirstPass {
  private readonly plan: ColumnPlan;
  private readonly options: ImportOptions;
  private readonly styles = new Set<DecimalSeparator>();
  private readonly parents = new Map<string, RawProduct>();
  private readonly parentOrdinals = new Set<number>();
  private readonly ids = new Set<string>();
  private readonly sharedIds = new Set<string>();
  private readonly checks: GuessChecks;
  private ordinal = -1;
  /** Some price names no currency, neither itself nor in a column of its row. */
  private hasBarePrice = false;

  constructor(plan: ColumnPlan, options: ImportOptions) {
    this.plan = plan;
    this.options = options;
    this.checks = new GuessChecks(plan);
  }

  /** The columns that the scan reads. */
  get columnsToDecode(): ReadonlySet<number> {
    const { columns, columnsToDecode, dialect } = this.plan;
    if (dialectTable[dialect].family.type === "kinds") return columnsToDecode;
    const roles: readonly Role[] = [...priceRoles, "currency", ...this.checks.fields];
    return new Set(roles.flatMap((role) => columns.get(role) ?? []));
  }

  scan(cells: readonly (string | undefined)[]): void {
    for (const role of priceRoles) {
      for (const place of this.plan.columns.get(role) ?? []) {
        const style = detectDecimalSeparator(cells[place] ?? "");
        if (style) this.styles.add(style);
      }
    }
    const row = new RowView(this.plan, cells);
    this.hasBarePrice ||= isBarePrice(row);
    this.checks.scan(row);
    if (dialectTable[this.plan.dialect].family.type === "kinds") this.recordFamily(row);
  }

  /** A column that uses both separators shows nothing. */
  facts(): TableFacts {
    const [priceStyle, secondStyle] = this.styles;
    const named = this.headerCurrency();
    const { currency } = this.options;
    return {
      decimalSeparator: secondStyle ? undefined : priceStyle,
      parents: this.parents,
      parentOrdinals: this.parentOrdinals,
      sharedIds: this.sharedIds,
      currency: named ?? currency ?? undefined,
      currencySource: this.currencySource(named),
      oddColumns: this.checks.oddColumns(),
    };
  }

  private currencySource(named: string | undefined): CurrencySource {
    if (named !== undefined || !this.hasBarePrice || this.plan.dialect === "template") return "file";
    return this.options.currency === null ? "assumed" : "chosen";
  }

  /** The currency in the name of a price column, or in eBay's first column. */
  private headerCurrency(): string | undefined {
    const { columns, header } = this.plan;
    const places = [...(columns.get("price") ?? []), ...(columns.get("mark") ?? [])];
    for (const place of places) {
      const currency = currencyOfHeader(header[place] ?? "");
      if (currency !== undefined) return currencyOfCell(currency);
    }
    return undefined;
  }

  /** Records the products that variants refer to before or after them. */
  private recordFamily(row: RowView): void {
    const definition = dialectTable[this.plan.dialect];
    const { family } = definition;
    if (family.type !== "kinds") return;
    if (family.variantsBy === "id") {
      const id = row.text("id");
      if (this.ids.has(id)) this.sharedIds.add(id);
      this.ids.add(id);
      return;
    }
    const kind = rowKindOf(row, definition, { parents: this.parents, sharedIds: this.sharedIds });
    if (family.variantsBy === "order") {
      if (kind === "variant") this.parentOrdinals.add(this.ordinal);
      else if (kind !== "other") this.ordinal += 1;
      return;
    }
    if (kind !== "parent") return;
    const parent = this.parentOf(row);
    const id = row.text("id");
    const listed = row.text("variants").matchAll(/(?:^|\|)sku=([^,|]*)/g);
    // A variation refers to its parent by SKU, or by `id:` and the parent's id.
    const keys =
      family.variantsBy === "list" ? [...listed].map(([, sku = ""]) => sku.trim()) : [parent.sku, id && `id:${id}`];
    for (const key of keys) if (key) this.parents.set(key, parent);
  }

  /** What variants inherit. A parent's own price is not a variant's: it is the lowest one, or none. */
  private parentOf(row: RowView): RawProduct {
    const { dialect } = this.plan;
    const reading = { definition: dialectTable[dialect], facts: this.facts(), now: new Date(0) };
    return { ...readProduct(row, reading), price: "", warnings: [] };
  }
}

function isBarePrice(row: RowView): boolean {
  const price = row.text("price") || row.text("sale");
  return price !== "" && row.text("currency") === "" && currencyOfPrice(price) === undefined;
}
