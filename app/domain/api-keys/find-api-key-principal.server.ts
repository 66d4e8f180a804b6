import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { accounts, apiKeys } from "#db/schema/index.ts";
import type { AccountStatus, AccountType } from "../accounts/account.ts";
import type { VisitorCtx } from "../context.ts";
import type { AccountId, ApiKeyId } from "../ids.ts";
import { preparedQuery } from "../prepared-query.server.ts";
import { apiKeyTouchIntervalMs } from "./api-key.ts";
import { hashApiKeySecret } from "./api-key-secret.server.ts";

/** The principal of a key. The account is read for every request, so that a suspension applies at once. */
export type ApiKeyPrincipal = { keyId: ApiKeyId; name: string } & (
  | { role: "operator" }
  | { role: "tenant"; account: { id: AccountId; type: AccountType; status: AccountStatus; companyName: string } }
);

/** Finds the principal of a key; undefined when the key is unknown or revoked. */
export async function findApiKeyPrincipal(
  ctx: VisitorCtx,
  { secret }: { secret: string },
): Promise<ApiKeyPrincipal | undefined> {
  const secretHash = hashApiKeySecret(secret);
  if (!secretHash) return undefined;
  const [row] = await preparedFor(ctx.db).execute({ secretHash });
  if (!row) return undefined;
  const { keyId, name, lastUsedAt, account } = row;
  const now = ctx.clock();
  if (!lastUsedAt || lastUsedAt.getTime() <= now.getTime() - apiKeyTouchIntervalMs) await touch(ctx, keyId, now);
  return account ? { keyId, name, role: "tenant", account } : { keyId, name, role: "operator" };
}

/** Writes at most once a minute per key, even with concurrent requests. */
async function touch(ctx: VisitorCtx, keyId: ApiKeyId, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - apiKeyTouchIntervalMs + 1);
  await ctx.db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, stale))));
}

const preparedFor = preparedQuery(prepare);

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
