import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { type ChannelProblem, channelProblems } from "#app/domain/delivery/channels/channel-problem.ts";
import type { ChannelUpload } from "#app/domain/delivery/channels/channel-upload.ts";
import { type ConnectableChannel, connectableChannels } from "#app/domain/delivery/channels/connectable.ts";
import type { AudienceId, ConnectionId } from "#app/domain/ids.ts";
import { audiences } from "./audiences.ts";
import { bytes, instant, oneOf } from "./columns.ts";

/**
 * The account behind a channel that something real is connected to. The credential is sealed for this row; `problem` is what
 * came of the last request, null when it went well.
 */
export const channelConnections = pgTable(
  "channel_connections",
  {
    channel: text("channel").$type<ConnectableChannel>().primaryKey(),
    id: uuid("id").$type<ConnectionId>().notNull(),
    credential: bytes("credential").notNull(),
    account: text("account").notNull(),
    /** The account's; a day of its reports is a day there. */
    timeZone: text("time_zone").notNull(),
    problem: text("problem").$type<ChannelProblem>(),
    checkedAt: instant("checked_at").notNull(),
    connectedAt: instant("connected_at").notNull(),
    connectedBy: text("connected_by").notNull(),
  },
  (table) => [
    oneOf("channel_connections_channel", table.channel, connectableChannels),
    oneOf("channel_connections_problem", table.problem, channelProblems),
    check("channel_connections_account", sql`${table.account} ~ '^[0-9]{5,20}$'`),
    check("channel_connections_time_zone", sql`${table.timeZone} ~ '^[A-Za-z0-9_+/-]{1,64}$'`),
  ],
);

/**
 * An audience as it stands at a channel: which version of it is there, and what is on its way. `dueAt` is when it is looked
 * at next: at once when the audience changes (by trigger), else once a day.
 */
export const channelAudiences = pgTable(
  "channel_audiences",
  {
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .notNull()
      .references(() => audiences.id, { onDelete: "cascade" }),
    channel: text("channel").$type<ConnectableChannel>().notNull(),
    /** What the channel calls it; null while it is not there. */
    reference: text("reference"),
    version: integer("version"),
    sentAt: instant("sent_at"),
    upload: jsonb("upload").$type<ChannelUpload>(),
    /** In a row. */
    failures: integer("failures").notNull().default(0),
    problem: text("problem").$type<ChannelProblem>(),
    lastError: text("last_error"),
    dueAt: instant("due_at").notNull(),
    /** While a process works on it; passed when that died. */
    busyUntil: instant("busy_until"),
  },
  (table) => [
    primaryKey({ columns: [table.audienceId, table.channel] }),
    oneOf("channel_audiences_channel", table.channel, connectableChannels),
    oneOf("channel_audiences_problem", table.problem, channelProblems),
    check(
      "channel_audiences_there",
      sql`(${table.version} is null) = (${table.sentAt} is null) and (${table.version} is null or ${table.reference} is not null)`,
    ),
    check("channel_audiences_failures", sql`${table.failures} >= 0`),
    index("channel_audiences_due").on(table.dueAt),
  ],
);
