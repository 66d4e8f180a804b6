import { sql } from "drizzle-orm";
import { check, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AccountId, SavedViewId, UserId } from "#app/domain/ids.ts";
import {
  type SavedViewList,
  type SavedViewMode,
  savedViewLists,
  savedViewModes,
} from "#app/domain/saved-views/saved-view.ts";
import { createdAt, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

/**
 * A person's name for the URL of a list, or an account's name for one of analytics: a report, without a person. `query`
 * has the list's filters, search, sort order and columns, encoded, without the page. Deleted with the person.
 */
export const savedViews = pgTable(
  "saved_views",
  {
    id: primaryId<SavedViewId>(),
    userId: uuid("user_id")
      .$type<UserId>()
      .references(() => users.id, { onDelete: "cascade" }),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    mode: text("mode").$type<SavedViewMode>().notNull(),
    list: text("list").$type<SavedViewList>().notNull(),
    name: text("name").notNull(),
    query: text("query").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    oneOf("saved_views_mode", table.mode, savedViewModes),
    oneOf("saved_views_list", table.list, savedViewLists),
    check("saved_views_name", sql`char_length(${table.name}) between 1 and 60`),
    check("saved_views_query", sql`char_length(${table.query}) <= 1000 and ${table.query} ~ '^[A-Za-z0-9*._+%=&-]*$'`),
    check("saved_views_report", sql`${table.userId} is not null or ${table.list} = 'analytics'`),
    uniqueIndex("saved_views_name_per_list").on(
      table.userId,
      table.accountId,
      table.mode,
      table.list,
      sql`lower(${table.name})`,
    ),
    uniqueIndex("saved_views_name_per_account")
      .on(table.accountId, table.mode, sql`lower(${table.name})`)
      .where(sql`${table.userId} is null`),
    unique("saved_views_id_account").on(table.id, table.accountId),
  ],
);
