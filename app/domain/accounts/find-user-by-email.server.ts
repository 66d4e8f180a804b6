import { sql } from "drizzle-orm";
import { users } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import type { UserId } from "../ids.ts";

/** Returns the person with this email address in any case, for an operator. */
export async function findUserByEmail(
  ctx: Ctx<OperatorActor>,
  { email }: { email: string },
): Promise<UserId | undefined> {
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email.trim()})`);
  return user?.id;
}
