import { eq } from "drizzle-orm";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { isSameAddress } from "#app/domain/accounts/is-same-address.server.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { parseId, type UserId } from "#app/domain/ids.ts";
import { accounts, users } from "#db/schema/index.ts";

/**
 * Finds a person by email address, ignoring case, or by ID, which is all that is left of one who was erased. The
 * account's type is null before the registration.
 */
export async function findPerson(
  ctx: Ctx<OperatorActor>,
  { emailOrId }: { emailOrId: string },
): Promise<{ userId: UserId; accountType: AccountType | null; erasedAt: Date | null } | undefined> {
  const id = parseId<UserId>(emailOrId);
  const [person] = await ctx.db
    .select({ userId: users.id, accountType: accounts.type, erasedAt: users.erasedAt })
    .from(users)
    .leftJoin(accounts, eq(accounts.id, users.accountId))
    .where(id ? eq(users.id, id) : isSameAddress(users.email, emailOrId.trim()));
  return person;
}
