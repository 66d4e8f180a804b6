import { z } from "zod";
import type { AuditEntryId } from "../../ids.ts";

/**
 * The rules of the hash chain over the audit trail that need no hashing (docs/decisions/0058). Pure.
 *
 * Ids of entries sort by the time of their making. A transaction commits a while after it made an entry, so a block lists its entries one
 * by one, and an entry may come into a block after later ones did.
 */

/** An entry younger than this waits for the next block: most of those that are made at the same time are committed then. */
const settleMs = 10_000;
/** How much later than the entries around it an entry may be committed. No transaction runs for longer, by far. */
const maxLatenessMs = 60 * 60_000;

const optional = z.string().nullable();

/** All columns of an entry as text, its instant in milliseconds: its hash covers them in this order. */
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
  door: z.string(),
  request_id: optional,
  before: optional,
  after: optional,
});
export type SealedEntry = z.output<typeof sealedEntry>;

export const sealedColumns = sealedEntry.keyof().options;

/** What is hashed of an entry. Another list of columns needs another first word, so that no two lists give the same text. */
export function canonicalEntry(entry: SealedEntry): string {
  return JSON.stringify(["audit entry 1", ...sealedColumns.map((column) => entry[column])]);
}

/** The lowest id that an entry can have that was made at this time. */
export function lowestIdAt(milliseconds: number): AuditEntryId {
  const hex = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000` as AuditEntryId;
}

/** When an id was made, in milliseconds, by what it says itself. */
function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Entries with ids from here on are not sealed yet. */
export function unsettledFrom(now: Date): AuditEntryId {
  return lowestIdAt(now.getTime() - settleMs);
}

/** The lowest id that is still accepted into a block after one reached this far. */
export function acceptedFrom(sealedThrough: string): AuditEntryId {
  return lowestIdAt(idTime(sealedThrough) - maxLatenessMs);
}

/** Whether an entry gives another time than its id, which says when it was written. The demo's story is told in the past. */
export function isMisdated({ id, created_at, door }: SealedEntry): boolean {
  return door !== "seed" && Math.abs(Number(created_at) - idTime(id)) > maxLatenessMs;
}

/** Ids from here on are of a time that has not come: no block would have their entries for long. */
export function futureFrom(now: Date): AuditEntryId {
  return lowestIdAt(now.getTime() + maxLatenessMs);
}
