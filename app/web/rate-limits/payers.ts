import type { Viewer } from "#app/domain/accounts/viewer.ts";
import type { Payer } from "./budgets.ts";

/** Returns the payers of a signed-in person: the person and the account. */
export function payersOfViewer({ id, accountId }: Viewer): Payer[] {
  const person: Payer = { kind: "person", id };
  return accountId ? [person, { kind: "account", id: accountId }] : [person];
}
