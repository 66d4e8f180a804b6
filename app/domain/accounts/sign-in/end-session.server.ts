import { eq } from "drizzle-orm";
import { hashSecret } from "#app/domain/accounts/secrets.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { sessions } from "#db/schema/index.ts";

/** Signs one browser out. Does nothing when the session does not exist. */
export async function endSession(ctx: VisitorCtx, { token }: { token: string }): Promise<void> {
  await ctx.db.delete(sessions).where(eq(sessions.tokenHash, hashSecret(token)));
}
