import type { AccountType } from "../../accounts/account.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { asCents, type Cents, formatCents } from "../../money.ts";

/** The account that made or received a transfer. */
export type TransferOwner = { id: AccountId; type: AccountType };

/** A transfer as an operator records it. */
export type BankTransfer = {
  accountId: AccountId;
  amount: Cents;
  /** The bank's reference of the transfer. */
  reference: string;
};

/** A transfer that is recorded for a reference. */
export type TransferRecord<Id> = {
  id: Id;
  accountId: AccountId;
  amountCents: number;
  /** How often the reference was recorded, with this one: once more after each reversal. */
  occurrence: number;
  isReversed: boolean;
};

/** The longest reference; those of banks have up to 35 characters. */
const maxReferenceLength = 200;

/**
 * Returns a bank's reference of a transfer without the spaces around it. Throws `invalid_input` for one that is empty
 * or too long. Pure.
 */
export function readTransferReference(input: string): string {
  const reference = input.trim();
  if (reference !== "" && reference.length <= maxReferenceLength) return reference;
  const message = `Enter the bank's reference, at most ${maxReferenceLength} characters`;
  throw invalidInput({ reference: [message] }, message);
}

/**
 * Returns whether a transfer is among the records of its reference and not reversed, so that recording it again changes
 * nothing. Throws `idempotency_conflict` when the reference stands for another account or amount. Pure.
 */
export function isRecorded(
  records: readonly TransferRecord<unknown>[],
  { accountId, amount, reference }: BankTransfer,
): boolean {
  const standing = records.find(({ isReversed }) => !isReversed);
  if (!standing) return false;
  if (standing.accountId === accountId && standing.amountCents === amount) return true;
  const recorded = `${formatCents(asCents(standing.amountCents))} of the account ${standing.accountId}`;
  throw new DomainError("idempotency_conflict", `${reference} was already recorded for ${recorded}`);
}
