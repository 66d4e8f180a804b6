import { asc, eq, like } from "drizzle-orm";
import { accounts, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { standInSubject } from "./stand-in-subject.ts";

/** Lists the users of the demo data, approved or not, for the account page of the stand-in identity provider. */
export async function listDemoUsers(ctx: VisitorCtx) {
  return ctx.db
    .select({
      email: users.email,
      name: users.name,
      companyName: accounts.companyName,
      type: accounts.type,
      status: accounts.status,
    })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(like(users.googleSubject, standInSubject("%@example.com")))
    .orderBy(asc(accounts.id), asc(users.id))
    .limit(20);
}

/** Returns the name of the user with this subject, if the stand-in provider knows it. */
export async function findUserNameBySubject(ctx: VisitorCtx, subject: string): Promise<string | undefined> {
  const [row] = await ctx.db.select({ name: users.name }).from(users).where(eq(users.googleSubject, subject));
  return row?.name;
}
