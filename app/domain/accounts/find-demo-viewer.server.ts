import { and, asc, eq } from "drizzle-orm";
import { accounts, mailSettings, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { AccountType } from "./account.ts";
import type { RegisteredViewer } from "./viewer.ts";

/**
 * Finds the viewer that the test-mode portals act as: the first approved demo account of the type. Undefined without
 * demo data.
 */
export async function findDemoViewer(ctx: VisitorCtx, type: AccountType): Promise<RegisteredViewer | undefined> {
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
      timeZone: mailSettings.timeZone,
    })
    .from(accounts)
    .innerJoin(users, eq(users.accountId, accounts.id))
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(and(eq(accounts.isDemo, true), eq(accounts.type, type), eq(accounts.status, "approved")))
    .orderBy(asc(accounts.id), asc(users.id))
    .limit(1);
  return row && { ...row, timeZone: row.timeZone ?? "UTC" };
}
