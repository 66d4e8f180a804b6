import { z } from "zod";

/**
 * The tables that only a database with distributed facts has: each report writes what it changes to them, and empties
 * them.
 */
export const inboxTables = ["delivery_additions", "delivery_restatements"] as const;

/** Asks whether a database has distributed facts (docs/decisions/0107), in rows of `distributedRow`. */
export const distributedQuery = `select to_regclass('public.${inboxTables[0]}') is not null as distributed`;
export const distributedRow = z.object({ distributed: z.boolean() });
