import { describe, expect, test } from "vitest";
import { invariant } from "#app/domain/invariant.ts";

describe("invariant", () => {
  test("a condition that holds throws nothing", () => {
    expect(() => invariant({ id: "a" }, "invoices row vanished", { id: "a" })).not.toThrow();
  });

  test("a condition that does not hold throws the message and the facts as JSON", () => {
    expect(() => invariant(undefined, "invoices row vanished", { invoiceId: "a", attempts: 2 })).toThrow(
      new Error('invoices row vanished {"invoiceId":"a","attempts":2}'),
    );
  });
});
