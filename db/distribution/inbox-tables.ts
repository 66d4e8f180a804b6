/** The tables that only a database with distributed facts has: each report writes what it changes to them, and empties them. */
export const inboxTables = ["delivery_additions", "delivery_restatements"] as const;
