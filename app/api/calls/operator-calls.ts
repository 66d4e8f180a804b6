import { z } from "zod";
import { accountStatuses, accountTypes } from "#app/domain/accounts/account.ts";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { getAccount, listAccounts } from "#app/domain/accounts/list-accounts.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { type AccountId, parseId } from "#app/domain/ids.ts";
import { unknownPage } from "#app/domain/page.ts";
import { operatorCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { done, doneShape, pageAnswer, pageQuery, wire } from "../wire.ts";

const accountSchema = z.object({
  id: wire.id,
  user_type: z.enum(accountTypes),
  status: z.enum(accountStatuses),
  company_name: z.string(),
  email: z.string().nullable().describe("Of its first person"),
  created_at: wire.time,
});
const decided = z.object({ ...doneShape, account: accountSchema });

/** Calls with an operator key. */
export const operatorCalls = {
  "GET /api/operator/accounts": operatorCall({
    summary: "All accounts, oldest first",
    query: z.object(pageQuery),
    answer: z.object({ accounts: z.array(accountSchema), ...pageAnswer }),
    run: async ({ ctx, query: { limit, cursor } }) => {
      const after = cursor === undefined ? undefined : parseId<AccountId>(cursor);
      if (cursor !== undefined && !after) throw unknownPage();
      const page = await listAccounts(ctx, { limit, after });
      return { accounts: page.accounts.map(accountJson), next_cursor: page.next ?? null };
    },
  }),
  "POST /api/operator/accounts/{id}/approve": operatorCall({
    summary: "Let an account in, whether it waited or was suspended",
    answer: decided,
    run: async ({ ctx, params }) => {
      const accountId = requireId<AccountId>("Account", params.id);
      await approveAccount(ctx, { accountId });
      return { ...done, account: accountJson(await getAccount(ctx, accountId)) };
    },
  }),
  "POST /api/operator/accounts/{id}/suspend": operatorCall({
    summary: "Shut an account out, from its people's and keys' next request on",
    answer: decided,
    run: async ({ ctx, params }) => {
      const accountId = requireId<AccountId>("Account", params.id);
      await suspendAccount(ctx, { accountId });
      return { ...done, account: accountJson(await getAccount(ctx, accountId)) };
    },
  }),
};

function accountJson({ id, type, status, companyName, email, createdAt }: Awaited<ReturnType<typeof getAccount>>) {
  return { id, user_type: type, status, company_name: companyName, email, created_at: createdAt.toISOString() };
}
