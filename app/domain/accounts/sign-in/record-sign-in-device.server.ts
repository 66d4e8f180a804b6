import { and, eq, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { hashSecret } from "#app/domain/accounts/secrets.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { signInDevices, users } from "#db/schema/index.ts";
import { describeDevice } from "./device.ts";

/**
 * Records the browser of a sign-in in the caller's transaction and mails the user if it is new. The first browser after
 * registration sends no mail. `signIn` identifies this sign-in.
 */
export async function recordSignInDevice(
  ctx: VisitorCtx,
  input: { userId: UserId; secret: string; userAgent: string | null; signIn: string },
): Promise<void> {
  const { userId } = input;
  const [person] = await ctx.db.select({ accountId: users.accountId }).from(users).where(eq(users.id, userId));
  if (!person?.accountId) return;
  const deviceHash = hashSecret(`${userId} ${input.secret}`);
  const now = ctx.clock();
  const [device] = await ctx.db
    .insert(signInDevices)
    .values({ userId, deviceHash, lastUsedAt: now })
    .onConflictDoUpdate({ target: [signInDevices.userId, signInDevices.deviceHash], set: { lastUsedAt: now } })
    .returning({ isNew: sqlValue(z.boolean(), sql`xmax = 0`) });
  const others = and(eq(signInDevices.userId, userId), ne(signInDevices.deviceHash, deviceHash));
  if (!device?.isNew || (await ctx.db.$count(signInDevices, others)) === 0) return;
  await notifyAccounts(ctx, [
    {
      event: "new_sign_in",
      accountId: person.accountId,
      key: `sign_in/${input.signIn}`,
      subjectId: userId,
      facts: { device: describeDevice(input.userAgent), at: now.toISOString() },
      isSeen: true,
    },
  ]);
}
