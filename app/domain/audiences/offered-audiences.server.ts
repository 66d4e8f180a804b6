import { sql } from "drizzle-orm";
import { accounts, audiences } from "#db/schema/index.ts";

/**
 * Whether an audience is one that advertisers can select: ready, and of a publisher that is approved. A suspended one could
 * decide on no campaign. The status is a literal, so that the condition is the one of the partial indexes.
 */
export const isOffered = sql`${audiences.status} = 'ready' and exists (
  select from ${accounts} where ${accounts.id} = ${audiences.publisherId} and ${accounts.status} = 'approved')`;
