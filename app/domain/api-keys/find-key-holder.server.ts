import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { accounts, apiKeys } from "#db/schema/index.ts";
import type { AccountStatus, AccountType } from "../accounts/account.ts";
import type { VisitorCtx } from "../context.ts";
import type { AccountId, ApiKeyId } from "../ids.ts";
import { preparedOnce } from "../prepared.server.ts";
import { keyTouchInterval } from "./api-key.ts";
import { keySecretHash } from "./api-key-secret.server.ts";

/** For whom a key speaks. The account is read anew each time, so that a suspension acts at once. */
export type KeyHolder = { keyId: ApiKeyId; name: string } & (
  | { role: "operator" }
  | { role: "tenant"; account: { id: AccountId; type: AccountType; status: AccountStatus; companyName: string } }
);

/** Whose key this is; undefined when it is unknown or revoked. */
export async function findKeyHolder(ctx: VisitorCtx, { secret }: { secret: string }): Promise<KeyHolder | undefined> {
  const secretHash = keySecretHash(secret);
  if (!secretHash) return undefined;
  const [row] = await preparedFor(ctx.db).execute({ secretHash });
  if (!row) return undefined;
  const { keyId, name, lastUsedAt, account } = row;
  const now = ctx.clock();
  if (!lastUsedAt || lastUsedAt.getTime() <= now.getTime() - keyTouchInterval) await touch(ctx, keyId, now);
  return account ? { keyId, name, role: "tenant", account } : { keyId, name, role: "operator" };
}

/** At most one write a minute and key, however many calls arrive at once. */
async function touch(ctx: VisitorCtx, keyId: ApiKeyId, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - keyTouchInterval + 1);
  await ctx.db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, stale))));
}

const preparedFor = preparedOnce(prepare);

function prepare(db: Database) {
  return db
    .select({
      keyId: apiKeys.id,
      name: apiKeys.name,
      lastUsedAt: apiKeys.lastUsedAt,
      account: { id: accounts.id, type: accounts.type, status: accounts.status, companyName: accounts.companyName },
    })
    .from(apiKeys)
    .leftJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(and(eq(apiKeys.secretHash, sql.placeholder("secretHash")), isNull(apiKeys.revokedAt)))
    .prepare("find_key_holder");
}
