import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
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
import type { ColumnMapping } from "#app/domain/audiences/files/column-uses.ts";
import type { OptOutCount } from "#app/domain/audiences/files/opt-out-counts.ts";
import type { AccountId, AudienceId, AudienceObjectId, UploadId, UserId } from "#app/domain/ids.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";
import { audiences } from "./audiences.ts";

/** References the audience together with its owner, so that a row can never refer to another publisher's audience. */
function ownAudience() {
  return {
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
  };
}

/**
 * An audience's members: blocks of about 1,024 hashes in ascending order, 32 bytes each, with one byte of flags per
 * hash (`members/identifier-flags.ts`) and, for each variant, the 32 bytes of its canonical hash. One row per hash
 * would take four times the space (docs/decisions/0011). A complete rewrite creates a new generation and deletes the
 * old one.
 */
export const audienceBlocks = pgTable(
  "audience_blocks",
  {
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .notNull()
      .references(() => audiences.id),
    generation: integer("generation").notNull(),
    firstHash: bytes("first_hash").notNull(),
    hashes: bytes("hashes").notNull(),
    flags: bytes("flags").notNull(),
    canonicalHashes: bytes("canonical_hashes").notNull(),
    /** The encrypted names, postal codes and countries of the people, where the publisher imported them. */
    addresses: bytes("addresses"),
  },
  (table) => [
    primaryKey({ columns: [table.audienceId, table.generation, table.firstHash] }),
    check(
      "audience_blocks_shape",
      sql`length(${table.hashes}) = 32 * length(${table.flags}) and length(${table.flags}) between 1 and 4096
        and substr(${table.hashes}, 1, 32) = ${table.firstHash} and length(${table.canonicalHashes}) % 32 = 0`,
    ),
  ],
);

/**
 * Where blocks of a generation are whose bytes are in object storage: up to 240 of them in one object, each encrypted
 * by itself (docs/decisions/0100). `block_index` has 40 bytes for each block: its first hash, the length of its
 * ciphertext, the number of its hashes, and that of its variants.
 */
export const audienceObjects = pgTable(
  "audience_objects",
  {
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .notNull()
      .references(() => audiences.id),
    generation: integer("generation").notNull(),
    firstHash: bytes("first_hash").notNull(),
    objectId: uuid("object_id").$type<AudienceObjectId>().notNull(),
    /** How many hashes it has. */
    hashes: integer("hashes").notNull(),
    blockIndex: bytes("block_index").notNull(),
    /** The format and id of the key that its blocks are encrypted with. */
    sealPrefix: bytes("seal_prefix").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.audienceId, table.generation, table.firstHash] }),
    unique("audience_objects_object").on(table.objectId),
    check(
      "audience_objects_shape",
      sql`length(${table.blockIndex}) % 40 = 0 and length(${table.blockIndex}) between 40 and 40 * 240
        and substr(${table.blockIndex}, 1, 32) = ${table.firstHash} and ${table.hashes} >= length(${table.blockIndex}) / 40`,
    ),
  ],
);

/** Objects that no generation has any more, until they are deleted from the storage in all versions. */
export const audienceObjectDeletions = pgTable("audience_object_deletions", {
  objectId: uuid("object_id").$type<AudienceObjectId>().primaryKey(),
  audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
});

/** One row for each change of an audience's members; the newest one has the current size. */
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

/** One upload of one or more files, with its report. Personal data appears only as masked values. */
export const audienceUploads = pgTable(
  "audience_uploads",
  {
    id: primaryId<UploadId>(),
    ...ownAudience(),
    mode: text("mode").$type<UploadMode>().notNull(),
    source: text("source").$type<UploadSource>().notNull().default("file"),
    status: text("status").$type<UploadStatus>().notNull().default("running"),
    /** How often its files were sent. A process that made an earlier attempt changes nothing any more. */
    attempt: integer("attempt").notNull().default(1),
    files: jsonb("files").$type<UploadFile[]>().notNull().default([]),
    rowsRead: bigint("rows_read", { mode: "number" }).notNull().default(0),
    rowsBlank: bigint("rows_blank", { mode: "number" }).notNull().default(0),
    rowsInvalid: bigint("rows_invalid", { mode: "number" }).notNull().default(0),
    invalidByReason: jsonb("invalid_by_reason").$type<Partial<Record<InvalidReason, number>>>().notNull().default({}),
    problems: jsonb("problems").$type<UploadProblem[]>().notNull().default([]),
    rowsOptedOut: bigint("rows_opted_out", { mode: "number" }).notNull().default(0),
    /** The columns that kept rows or identifiers out. */
    optOuts: jsonb("opt_outs").$type<OptOutCount[]>().notNull().default([]),
    /** The uploader stated that people who opted out are imported too. */
    includesOptOuts: boolean("includes_opt_outs").notNull().default(false),
    duplicates: bigint("duplicates", { mode: "number" }).notNull().default(0),
    peopleAdded: bigint("people_added", { mode: "number" }).notNull().default(0),
    peopleRemoved: bigint("people_removed", { mode: "number" }).notNull().default(0),
    /** The audience's size after the upload; null until it succeeded. */
    size: bigint("size", { mode: "number" }),
    droppedColumns: jsonb("dropped_columns").$type<string[]>().notNull().default([]),
    notes: jsonb("notes").$type<string[]>().notNull().default([]),
    error: text("error"),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
    /** Moves while the process that works on it lives; one that stands still was interrupted. */
    heartbeatAt: instant("heartbeat_at").notNull(),
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
    index("audience_uploads_running").on(table.heartbeatAt).where(sql`${table.status} = 'running'`),
    // One refresh of an audience at a time, whichever process runs it.
    uniqueIndex("audience_uploads_one_refresh")
      .on(table.audienceId)
      .where(sql`${table.status} = 'running' and ${table.source} <> 'file'`),
    uniqueIndex("audience_uploads_id_publisher").on(table.id, table.publisherId),
  ],
);

/** What a publisher chose to read the columns of audience files as. `layout` is the key of the file's column names. */
export const audienceColumnMappings = pgTable(
  "audience_column_mappings",
  {
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    layout: text("layout").notNull(),
    mapping: jsonb("mapping").$type<ColumnMapping>().notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.publisherId, table.layout] })],
);
