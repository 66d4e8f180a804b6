import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { hashSecret } from "./secrets.server.ts";

/** Signs one browser out. Does nothing when the session is unknown or gone. */
export async function endSession(ctx: VisitorCtx, { token }: { token: string }): Promise<void> {
  await ctx.db.delete(sessions).where(eq(sessions.tokenHash, hashSecret(token)));
}
