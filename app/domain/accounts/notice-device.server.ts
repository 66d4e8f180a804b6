import { and, eq, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { signInDevices, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";
import { tellAccounts } from "../notifications/tell-accounts.server.ts";
import { deviceWords } from "./device.ts";
import { hashSecret } from "./secrets.server.ts";

/**
 * Remembers the browser of a sign-in, in its transaction, and tells the person by mail when it signed in with others before but
 * never with this one: so never of the first sign-in after registration. `signIn` is what names this sign-in.
 */
export async function noticeDevice(
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
  await tellAccounts(ctx, [
    {
      event: "new_sign_in",
      accountId: person.accountId,
      key: `sign_in/${input.signIn}`,
      subjectId: userId,
      facts: { device: deviceWords(input.userAgent), at: now.toISOString() },
      isSeen: true,
    },
  ]);
}
