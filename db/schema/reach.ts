import { sql } from "drizzle-orm";
import { bigint, check, date, integer, pgTable, primaryKey, smallint, unique, uuid } from "drizzle-orm/pg-core";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AccountId, AudienceId } from "#app/domain/ids.ts";
import { bytes } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { audiences } from "./audiences.ts";

/**
 * The basis of all metrics about an audience's people for the rest of a day (docs/decisions/0021), whatever changes in
 * the audience meanwhile. `people` holds the first eight bytes of each counted hash, ascending: of all people, or of
 * those in the lowest 2^-level of all hashes. `erasures` counts the erasures from the snapshot since it was created
 * from `version`.
 */
export const audienceSnapshots = pgTable(
  "audience_snapshots",
  {
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .primaryKey()
      .references(() => audiences.id),
    takenOn: date("taken_on").$type<CalendarDate>().notNull(),
    version: integer("version").notNull(),
    erasures: integer("erasures").notNull().default(0),
    size: bigint("size", { mode: "number" }).notNull(),
    level: smallint("level").notNull(),
    people: bytes("people").notNull(),
  },
  (table) => [
    check(
      "audience_snapshots_shape",
      sql`${table.version} >= 0 and ${table.erasures} >= 0 and ${table.size} >= 0 and ${table.level} between 0 and 31
        and length(${table.people}) % 8 = 0`,
    ),
  ],
);

/**
 * The selections of audiences whose reach an account estimated on a day, with the results. They are numbered, so that
 * concurrent requests cannot exceed the limit. `choice` is a SHA-256 of the audiences' ids.
 */
export const reachQuestions = pgTable(
  "reach_questions",
  {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    day: date("day").$type<CalendarDate>().notNull(),
    number: smallint("number").notNull(),
    choice: bytes("choice").notNull(),
    reachFrom: bigint("reach_from", { mode: "number" }).notNull(),
    reachTo: bigint("reach_to", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day, table.number] }),
    unique("reach_questions_choice").on(table.accountId, table.day, table.choice),
    check(
      "reach_questions_numbers",
      sql`${table.number} between 1 and 200 and ${table.reachFrom} >= 0 and ${table.reachTo} > ${table.reachFrom}
        and length(${table.choice}) = 32`,
    ),
  ],
);
