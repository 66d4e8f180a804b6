import { and, asc, eq, isNull } from "drizzle-orm";
import { mailSuppressions, users } from "#db/schema/index.ts";
import { isSameAddress } from "../../accounts/is-same-address.server.ts";
import type { Ctx, TenantActor, VisitorCtx } from "../../context.ts";
import type { UserId } from "../../ids.ts";

const columns = {
  address: mailSuppressions.address,
  reason: mailSuppressions.reason,
  status: mailSuppressions.status,
  suppressedAt: mailSuppressions.suppressedAt,
};

/** A suppression applies while it is not lifted, and to the address that it was made for. */
export const isSuppressed = and(
  isNull(mailSuppressions.liftedAt),
  isSameAddress(mailSuppressions.address, users.email),
);

/** Returns why emails to a person's address are held back; undefined if they are sent. */
export async function findSuppression(ctx: VisitorCtx, { userId }: { userId: UserId }) {
  const [found] = await ctx.db
    .select(columns)
    .from(mailSuppressions)
    .innerJoin(users, eq(users.id, mailSuppressions.userId))
    .where(and(eq(users.id, userId), isSuppressed));
  return found;
}

/** Lists the people of the account whose emails are held back. */
export async function listSuppressedPeople(ctx: Ctx<TenantActor>) {
  return ctx.db
    .select({
      userId: users.id,
      name: users.name,
      ...columns,
    })
    .from(mailSuppressions)
    .innerJoin(users, eq(users.id, mailSuppressions.userId))
    .where(and(eq(users.accountId, ctx.actor.accountId), isSuppressed))
    .orderBy(asc(users.name), asc(users.id));
}

export type SuppressedPerson = Awaited<ReturnType<typeof listSuppressedPeople>>[number];
