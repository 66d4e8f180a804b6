import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type ChangeSource,
  changeSources,
  type InvalidReason,
  type UploadFile,
  type UploadMode,
  type UploadProblem,
  type UploadSource,
  type UploadStatus,
  uploadModes,
  uploadSources,
  uploadStatuses,
} from "#app/domain/audiences/audience.ts";
import type { AccountId, AudienceId, UploadId, UserId } from "#app/domain/ids.ts";
import { users } from "./accounts.ts";
import { audiences } from "./audiences.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/** The audience with its owner: a row can never name a foreign one. */
function ownAudience() {
  return {
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
  };
}

/**
 * An audience's people: blocks of about 1,024 hashes in ascending order, each 32 bytes, with one byte for each that says
 * what it is (`members/tag.ts`) and, for each other spelling, the 32 bytes of the identifier's own hash. Rows would take
 * four times the room (docs/decisions/0011). A whole rewrite makes a new generation and drops the old one.
 */
export const audienceBlocks = pgTable(
  "audience_blocks",
  {
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .notNull()
      .references(() => audiences.id),
    generation: integer("generation").notNull(),
    first: bytes("first").notNull(),
    hashes: bytes("hashes").notNull(),
    tags: bytes("tags").notNull(),
    spellings: bytes("spellings").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.audienceId, table.generation, table.first] }),
    check(
      "audience_blocks_shape",
      sql`length(${table.hashes}) = 32 * length(${table.tags}) and length(${table.tags}) between 1 and 4096
        and substr(${table.hashes}, 1, 32) = ${table.first} and length(${table.spellings}) % 32 = 0`,
    ),
  ],
);

/** What changed an audience's people, one row each; the newest says how many there are. */
export const audienceVersions = pgTable(
  "audience_versions",
  {
    ...ownAudience(),
    number: integer("number").notNull(),
    source: text("source").$type<ChangeSource>().notNull(),
    mode: text("mode").$type<UploadMode>(),
    uploadId: uuid("upload_id").$type<UploadId>(),
    peopleAdded: bigint("people_added", { mode: "number" }).notNull(),
    peopleRemoved: bigint("people_removed", { mode: "number" }).notNull(),
    size: bigint("size", { mode: "number" }).notNull(),
    ruleSets: text("rule_sets").notNull(),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    primaryKey({ columns: [table.audienceId, table.number] }),
    foreignKey({
      columns: [table.audienceId, table.publisherId],
      foreignColumns: [audiences.id, audiences.publisherId],
    }),
    oneOf("audience_versions_source", table.source, changeSources),
    oneOf("audience_versions_mode", table.mode, uploadModes),
    check(
      "audience_versions_numbers",
      sql`${table.number} > 0 and ${table.peopleAdded} >= 0 and ${table.peopleRemoved} >= 0 and ${table.size} >= 0`,
    ),
  ],
);

/** One upload of one or more files, and the report of it. Nothing of a person is in it but masked values. */
export const audienceUploads = pgTable(
  "audience_uploads",
  {
    id: primaryId<UploadId>(),
    ...ownAudience(),
    mode: text("mode").$type<UploadMode>().notNull(),
    source: text("source").$type<UploadSource>().notNull().default("file"),
    status: text("status").$type<UploadStatus>().notNull().default("running"),
    files: jsonb("files").$type<UploadFile[]>().notNull().default([]),
    rowsRead: bigint("rows_read", { mode: "number" }).notNull().default(0),
    rowsBlank: bigint("rows_blank", { mode: "number" }).notNull().default(0),
    rowsInvalid: bigint("rows_invalid", { mode: "number" }).notNull().default(0),
    invalidByReason: jsonb("invalid_by_reason").$type<Partial<Record<InvalidReason, number>>>().notNull().default({}),
    problems: jsonb("problems").$type<UploadProblem[]>().notNull().default([]),
    duplicates: bigint("duplicates", { mode: "number" }).notNull().default(0),
    peopleAdded: bigint("people_added", { mode: "number" }).notNull().default(0),
    peopleRemoved: bigint("people_removed", { mode: "number" }).notNull().default(0),
    /** Of the audience afterwards; null until it succeeded. */
    size: bigint("size", { mode: "number" }),
    droppedColumns: jsonb("dropped_columns").$type<string[]>().notNull().default([]),
    notes: jsonb("notes").$type<string[]>().notNull().default([]),
    error: text("error"),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
    /** Moves while the process that works on it lives; one that stands still was interrupted. */
    aliveAt: instant("alive_at").notNull(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    foreignKey({
      columns: [table.audienceId, table.publisherId],
      foreignColumns: [audiences.id, audiences.publisherId],
    }),
    oneOf("audience_uploads_mode", table.mode, uploadModes),
    oneOf("audience_uploads_source", table.source, uploadSources),
    oneOf("audience_uploads_status", table.status, uploadStatuses),
    check(
      "audience_uploads_finished",
      sql`(${table.status} = 'running') = (${table.finishedAt} is null)
        and (${table.status} = 'failed') = (${table.error} is not null)
        and (${table.status} = 'succeeded') = (${table.size} is not null)`,
    ),
    index("audience_uploads_audience").on(table.audienceId, table.createdAt),
    index("audience_uploads_running").on(table.aliveAt).where(sql`${table.status} = 'running'`),
    // One refresh of an audience at a time, whichever process runs it.
    uniqueIndex("audience_uploads_one_refresh")
      .on(table.audienceId)
      .where(sql`${table.status} = 'running' and ${table.source} <> 'file'`),
    uniqueIndex("audience_uploads_id_publisher").on(table.id, table.publisherId),
  ],
);
