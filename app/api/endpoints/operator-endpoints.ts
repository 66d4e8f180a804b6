import { z } from "zod";
import { accountStatuses, accountTypes } from "#app/domain/accounts/account.ts";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { getAccount, listAccounts } from "#app/domain/accounts/list-accounts.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { type AccountId, parseId } from "#app/domain/ids.ts";
import { invalidCursor } from "#app/domain/page.ts";
import { operatorEndpoint } from "../endpoint.server.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape, wire } from "../wire.ts";

const accountSchema = z.object({
  id: wire.id,
  user_type: z.enum(accountTypes),
  status: z.enum(accountStatuses),
  company_name: z.string(),
  email: z.string().nullable().describe("Email address of the account's first user"),
  created_at: wire.time,
});
const decided = z.object({ ...successShape, account: accountSchema });

/** Endpoints that require an operator key. */
export const operatorEndpoints = {
  "GET /api/operator/accounts": operatorEndpoint({
    summary: "List all accounts, oldest first",
    query: z.object(pageQuery),
    response: z.object({ accounts: z.array(accountSchema), ...pageResponse }),
    run: async ({ ctx, query: { limit, cursor } }) => {
      const after = parseId<AccountId>(cursor || undefined);
      if (cursor && !after) throw invalidCursor();
      const page = await listAccounts(ctx, { limit, after });
      return { accounts: page.accounts.map(accountJson), next_cursor: page.next ?? null };
    },
  }),
  "POST /api/operator/accounts/{id}/approve": operatorEndpoint({
    summary: "Approve a pending or suspended account",
    response: decided,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const accountId = requireId<AccountId>("Account", params.id);
      await approveAccount(ctx, { accountId });
      return { ...successBody, account: accountJson(await getAccount(ctx, accountId)) };
    },
  }),
  "POST /api/operator/accounts/{id}/suspend": operatorEndpoint({
    summary: "Suspend an account. Its users and API keys lose access with their next request",
    response: decided,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const accountId = requireId<AccountId>("Account", params.id);
      await suspendAccount(ctx, { accountId });
      return { ...successBody, account: accountJson(await getAccount(ctx, accountId)) };
    },
  }),
};

function accountJson({ id, type, status, companyName, email, createdAt }: Awaited<ReturnType<typeof getAccount>>) {
  return { id, user_type: type, status, company_name: companyName, email, created_at: createdAt.toISOString() };
}
