import { sql } from "drizzle-orm";
import { bigint, check, integer, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type CreativeType, creativeExtensions, creativesPath, creativeTypes } from "#app/domain/creatives/creative.ts";
import type { AccountId, CreativeId, UserId } from "#app/domain/ids.ts";
import { accounts, users } from "./accounts.ts";
import { createdAt, oneOf, primaryId } from "./columns.ts";

const extension = Object.entries(creativeExtensions)
  .map(([type, ending]) => `when '${type}' then '${ending}'`)
  .join(" ");

/** A picture or a film that an account uploaded. Its file is in the storage (docs/decisions/0016), under its id. */
export const creatives = pgTable(
  "creatives",
  {
    id: primaryId<CreativeId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** 192 random bits: who knows them may see the file. */
    fileKey: text("file_key").notNull(),
    /** Where the file is served. */
    path: text("path")
      .notNull()
      .generatedAlwaysAs(sql.raw(`'${creativesPath}' || file_key || case type ${extension} end`)),
    /** As the sender named it: text to show. */
    name: text("name").notNull(),
    type: text("type").$type<CreativeType>().notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** Of films and animations. */
    durationMs: integer("duration_ms"),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** Of the small picture beside it; a film has none. */
    previewBytes: integer("preview_bytes"),
    /** Of the file as it is kept, and of what was sent; in hexadecimal digits. */
    sha256: text("sha256").notNull(),
    sourceSha256: text("source_sha256").notNull(),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    // Newest first, and what is the same twice is there once.
    unique("creatives_account_id").on(table.accountId, table.id),
    uniqueIndex("creatives_account_sha256").on(table.accountId, table.sha256),
    uniqueIndex("creatives_account_source").on(table.accountId, table.sourceSha256),
    uniqueIndex("creatives_file_key").on(table.fileKey),
    oneOf("creatives_type", table.type, creativeTypes),
    check(
      "creatives_numbers",
      sql`${table.width} > 0 and ${table.height} > 0 and ${table.durationMs} >= 0 and ${table.bytes} > 0 and ${table.previewBytes} > 0`,
    ),
    check("creatives_file_key_form", sql`${table.fileKey} ~ '^[A-Za-z0-9_-]{32}$'`),
    check("creatives_sha256", sql`${table.sha256} ~ '^[0-9a-f]{64}$'`),
    check("creatives_source_sha256", sql`${table.sourceSha256} ~ '^[0-9a-f]{64}$'`),
  ],
);
