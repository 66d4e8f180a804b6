import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { AudienceConsent } from "#app/domain/audiences/consent/audience-consent.ts";
import type { ChannelUpload } from "#app/domain/delivery/channels/audiences/channel-upload.ts";
import { type ChannelProblem, channelProblems } from "#app/domain/delivery/channels/channel-problem.ts";
import { type ConnectableChannel, connectableChannels } from "#app/domain/delivery/channels/connectable.ts";
import type { AudienceId, ConnectionId } from "#app/domain/ids.ts";
import { bytes, instant, oneOf } from "#db/columns.ts";
import { audiences } from "./audiences.ts";

/**
 * The account of a channel that is connected to a real platform. The credential is encrypted for this row; `problem` is
 * the outcome of the last request, null when it succeeded.
 */
export const channelConnections = pgTable(
  "channel_connections",
  {
    channel: text("channel").$type<ConnectableChannel>().primaryKey(),
    id: uuid("id").$type<ConnectionId>().notNull(),
    credential: bytes("credential").notNull(),
    account: text("account").notNull(),
    /** The account's time zone; a day of its reports is a day in this zone. */
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
 * The state of an audience at a channel: the version that was synced and the one in progress. `dueAt` is when it is
 * checked next: at once when the audience changes (by trigger), otherwise once a day.
 */
export const channelAudiences = pgTable(
  "channel_audiences",
  {
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .notNull()
      .references(() => audiences.id, { onDelete: "cascade" }),
    channel: text("channel").$type<ConnectableChannel>().notNull(),
    /** The channel's id of the audience; null while it does not exist there. */
    reference: text("reference"),
    version: integer("version"),
    sentAt: instant("sent_at"),
    /** The consent that was sent with the synced version; null where the channel takes none. */
    consent: jsonb("consent").$type<AudienceConsent>(),
    upload: jsonb("upload").$type<ChannelUpload>(),
    /** Consecutive failures. */
    failures: integer("failures").notNull().default(0),
    problem: text("problem").$type<ChannelProblem>(),
    lastError: text("last_error"),
    dueAt: instant("due_at").notNull(),
    /** While a process works on it; passed when that died. */
    leasedUntil: instant("leased_until"),
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
