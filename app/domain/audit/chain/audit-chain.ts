import { z } from "zod";
import { type AuditEntryId, idTime, lowestIdAt } from "../../ids.ts";

/**
 * The rules of the hash chain over the audit trail that need no hashing (docs/decisions/0058). Pure.
 * IDs of entries sort by creation time. A transaction commits some time after it created an entry. A block therefore
 * lists its entries one by one, and an entry can be sealed into a block after later entries were.
 */

/**
 * An entry younger than this, in milliseconds, waits for the next block: by then most concurrent transactions have
 * committed.
 */
const settleMs = 10_000;
/** How much later than its neighbors an entry may be committed, in milliseconds. No transaction runs nearly as long. */
const maxLatenessMs = 60 * 60_000;

const optional = z.string().nullable();

/** All columns of an entry as text, its time in milliseconds since 1970. The hash covers them in this order. */
export const sealedEntry = z.object({
  id: z.custom<AuditEntryId>((value) => typeof value === "string"),
  created_at: z.string(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string(),
  campaign_id: optional,
  owner_id: optional,
  account_id: optional,
  actor_kind: z.string(),
  actor_account_id: optional,
  actor_user_id: optional,
  actor_api_key_id: optional,
  actor_name: z.string(),
  entrypoint: z.string(),
  request_id: optional,
  before: optional,
  after: optional,
});
export type SealedEntry = z.output<typeof sealedEntry>;

export const sealedColumns = sealedEntry.keyof().options;

/**
 * Returns the text of an entry that is hashed. A different list of columns must start with a different first element,
 * so that two lists never produce the same text.
 */
export function canonicalEntry(entry: SealedEntry): string {
  return JSON.stringify(["audit entry 1", ...sealedColumns.map((column) => entry[column])]);
}

/** Returns the ID from which on entries are too young to be sealed. */
export function unsettledFrom(now: Date): AuditEntryId {
  return lowestIdAt(now.getTime() - settleMs);
}

/** Returns the lowest ID that a block still accepts after an earlier block sealed through `sealedThrough`. */
export function acceptedFrom(sealedThrough: string): AuditEntryId {
  return lowestIdAt(idTime(sealedThrough) - maxLatenessMs);
}

/**
 * Returns whether the time of an entry differs from the time in its ID. Entries of the seed are exempt: they are dated
 * in the past.
 */
export function isMisdated({ id, created_at, entrypoint }: SealedEntry): boolean {
  return entrypoint !== "seed" && Math.abs(Number(created_at) - idTime(id)) > maxLatenessMs;
}

/** Returns the ID from which on entries are dated in the future: no block would seal them for a long time. */
export function futureFrom(now: Date): AuditEntryId {
  return lowestIdAt(now.getTime() + maxLatenessMs);
}
