import { and, eq } from "drizzle-orm";
import { mailSettings, users } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { UserId } from "../ids.ts";
import { isOptional, mailsFor } from "./mail-kinds.ts";

/** How a person of the actor's account gets its mails, named as the form has it: `events` are those that it gets. */
export async function getMailSettings(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }) {
  const [row] = await ctx.db
    .select({ delivery: mailSettings.delivery, timeZone: mailSettings.timeZone, muted: mailSettings.muted })
    .from(users)
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(and(eq(users.id, userId), eq(users.accountId, ctx.actor.accountId)));
  if (!row) throw notFound("User");
  const { delivery, timeZone, muted } = row;
  return {
    delivery: delivery ?? ("at_once" as const),
    time_zone: timeZone ?? "UTC",
    events: mailsFor(ctx.actor.kind).filter((event) => isOptional(event) && !muted?.includes(event)),
  };
}

export type MailSettings = Awaited<ReturnType<typeof getMailSettings>>;
