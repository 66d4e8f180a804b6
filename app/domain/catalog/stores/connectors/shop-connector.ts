import type { RawProduct } from "../../imports/reading/dialect-rows.ts";
import { type StoreProblem, wordsOfStoreProblem } from "../store.ts";

/** `next` leads to the page after it; absent on the last. It can be kept and used again after a cut. */
export type ShopPage = { products: RawProduct[]; skipped: number; next: string | undefined };

/** A shop that can be asked for what it sells. Both kinds have the same three answers. */
export type ShopConnector = {
  /** What it calls itself. Also the way to see whether the credentials are good. Throws `other_currency`. */
  getName(): Promise<string>;
  /** One page of what it sells, each a thing that can be bought. */
  readPage(cursor: string | undefined): Promise<ShopPage>;
};

/** Holds nothing of the answer and nothing of the credentials. */
export class ShopError extends Error {
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem) {
    super(wordsOfStoreProblem(problem));
    this.name = "ShopError";
    this.problem = problem;
  }
}
