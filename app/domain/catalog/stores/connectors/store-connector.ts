import { catalogCurrency } from "#app/domain/catalog/imports/catalog-import.ts";
import type { RawProduct } from "#app/domain/catalog/imports/parsing/raw-product.ts";
import { describeStoreProblem, type StoreProblem } from "../store.ts";

/**
 * `next` is the cursor of the next page; undefined on the last page. A cursor can be stored and reused after an
 * interruption.
 */
export type StorePage = { products: RawProduct[]; skipped: number; next: string | undefined };

/**
 * A client of a store, the same for both kinds. Throws `unsupported_currency`: a store may change its currency later.
 */
export type StoreConnector = {
  /** Returns the store's name. Also used to test the credentials. */
  getName(): Promise<string>;
  /** Returns one page of purchasable items. */
  readPage(cursor: string | undefined): Promise<StorePage>;
};

/** Contains nothing of the response and nothing of the credentials. */
export class StoreConnectorError extends Error {
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem) {
    super(describeStoreProblem(problem));
    this.name = "StoreConnectorError";
    this.problem = problem;
  }
}

/** Throws unless a store's prices are in the catalog's currency. */
export function requireCurrency(code: string): void {
  if (code !== catalogCurrency) throw new StoreConnectorError("unsupported_currency");
}
