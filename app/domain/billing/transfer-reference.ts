import { DomainError, invalidInput } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { asCents, type Cents, formatCents } from "../money.ts";

/** The longest reference; those of banks have up to 35 characters. */
const maxReferenceLength = 200;

/**
 * Returns a bank's reference of a transfer without the spaces around it. Throws `invalid_input` for one that is empty or too
 * long. Pure.
 */
export function readTransferReference(input: string): string {
  const reference = input.trim();
  if (reference !== "" && reference.length <= maxReferenceLength) return reference;
  const message = `Enter the bank's reference, at most ${maxReferenceLength} characters`;
  throw invalidInput({ reference: [message] }, message);
}

/**
 * Returns whether a transfer is the one that is recorded for its reference and not reversed (`known`), so that recording it
 * again changes nothing. Throws `idempotency_conflict` when `known` is of another account or amount. Pure.
 */
export function isRecorded(
  known: { accountId: AccountId; amountCents: number } | undefined,
  transfer: { accountId: AccountId; amount: Cents; reference: string },
): boolean {
  if (!known) return false;
  if (known.accountId === transfer.accountId && known.amountCents === transfer.amount) return true;
  const recorded = `${formatCents(asCents(known.amountCents))} of the account ${known.accountId}`;
  throw new DomainError("idempotency_conflict", `${transfer.reference} was already recorded for ${recorded}`);
}
