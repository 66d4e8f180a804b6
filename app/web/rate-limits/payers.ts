import type { Viewer } from "#app/domain/accounts/viewer.ts";
import type { Payer } from "./budgets.ts";

/** A signed-in person pays with the account that they work for. */
export function payersOfViewer({ id, accountId }: Viewer): Payer[] {
  const person: Payer = { kind: "person", id };
  return accountId ? [person, { kind: "account", id: accountId }] : [person];
}
