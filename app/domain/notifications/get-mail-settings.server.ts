import { and, eq } from "drizzle-orm";
import { mailSettings, users } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { UserId } from "../ids.ts";
import { isOptionalMail, mailEventsFor } from "./mail-kinds.ts";

/**
 * Returns the mail settings of a user of the account, with the field names of the form; `events` are the optional mails
 * that the user receives. Throws `not_found`.
 */
export async function getMailSettings(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }) {
  const [row] = await ctx.db
    .select({ delivery: mailSettings.delivery, timeZone: mailSettings.timeZone, muted: mailSettings.muted })
    .from(users)
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(and(eq(users.id, userId), eq(users.accountId, ctx.actor.accountId)));
  if (!row) throw notFound("User");
  const { delivery, timeZone, muted } = row;
  return {
    delivery: delivery ?? ("immediate" as const),
    time_zone: timeZone ?? "UTC",
    events: mailEventsFor(ctx.actor.kind).filter((event) => isOptionalMail(event) && !muted?.includes(event)),
  };
}

export type MailSettings = Awaited<ReturnType<typeof getMailSettings>>;
