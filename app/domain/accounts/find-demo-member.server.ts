import { and, asc, eq } from "drizzle-orm";
import { accounts, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { AccountType } from "./account.ts";
import type { Member } from "./viewer.ts";

/** As whom the test-mode portals act: the first approved demo tenant of that type. Undefined without demo data. */
export async function findDemoMember(ctx: VisitorCtx, type: AccountType): Promise<Member | undefined> {
  const [row] = await ctx.db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      picture: users.picture,
      userType: accounts.type,
      status: accounts.status,
      companyName: accounts.companyName,
      accountId: accounts.id,
    })
    .from(accounts)
    .innerJoin(users, eq(users.accountId, accounts.id))
    .where(and(eq(accounts.isDemo, true), eq(accounts.type, type), eq(accounts.status, "approved")))
    .orderBy(asc(accounts.id), asc(users.id))
    .limit(1);
  return row;
}
