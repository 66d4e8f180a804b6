import { pgTable } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** The moments of which there is an archive of `npm run backup`, which metrics show the age of the last one of. */
export const backups = pgTable("backups", { takenAt: instant("taken_at").primaryKey() });
