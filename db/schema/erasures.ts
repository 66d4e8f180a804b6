import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AccountId, ErasureId, UserId } from "#app/domain/ids.ts";
import {
  type ErasureBlocker,
  type ErasureRequester,
  erasureBlockers,
  erasureRequesters,
} from "#app/domain/privacy/erasure.ts";
import { allOf, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

/** Requests to erase a person's data. It is carried out when it is due, unless it was canceled. */
export const erasures = pgTable(
  "erasures",
  {
    id: primaryId<ErasureId>(),
    userId: uuid("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /**
     * The account that is to be closed with it, as known at the request; null while people without one belong to it.
     * Whether the person is its last is looked up again when the request is carried out.
     */
    accountId: uuid("account_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    requestedBy: text("requested_by").$type<ErasureRequester>().notNull(),
    requestedAt: instant("requested_at").notNull(),
    dueAt: instant("due_at").notNull(),
    /** What kept the account from being closed when it was last tried. */
    blockers: text("blockers").array().$type<ErasureBlocker[]>().notNull().default(sql`'{}'`),
    canceledAt: instant("canceled_at"),
    completedAt: instant("completed_at"),
  },
  (table) => [
    oneOf("erasures_requested_by", table.requestedBy, erasureRequesters),
    allOf("erasures_blockers", table.blockers, erasureBlockers),
    check("erasures_end_once", sql`${table.canceledAt} is null or ${table.completedAt} is null`),
    uniqueIndex("erasures_open")
      .on(table.userId)
      .where(sql`${table.canceledAt} is null and ${table.completedAt} is null`),
    index("erasures_due").on(table.dueAt).where(sql`${table.canceledAt} is null and ${table.completedAt} is null`),
  ],
);
