import { sql } from "drizzle-orm";
import { bigint, check, integer, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type CreativeType, creativeExtensions, creativesPath, creativeTypes } from "#app/domain/creatives/creative.ts";
import type { AccountId, CreativeId, UserId } from "#app/domain/ids.ts";
import { createdAt, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

const extension = Object.entries(creativeExtensions)
  .map(([type, ending]) => `when '${type}' then '${ending}'`)
  .join(" ");

/** An image or a video that an account uploaded. Its file is in the storage (docs/decisions/0016), under its id. */
export const creatives = pgTable(
  "creatives",
  {
    id: primaryId<CreativeId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** 192 random bits: whoever knows them can fetch the file. */
    fileKey: text("file_key").notNull(),
    /** The URL path of the file. */
    path: text("path")
      .notNull()
      .generatedAlwaysAs(sql.raw(`'${creativesPath}' || file_key || case type ${extension} end`)),
    /** The name that the sender chose: display text. */
    name: text("name").notNull(),
    type: text("type").$type<CreativeType>().notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** Only for videos and animations. */
    durationMs: integer("duration_ms"),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** The size of the preview image; null for a video. */
    previewBytes: integer("preview_bytes"),
    /** Hashes of the stored and of the uploaded file; hexadecimal. */
    sha256: text("sha256").notNull(),
    sourceSha256: text("source_sha256").notNull(),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    // For lists, newest first; a file uploaded twice is stored once.
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
