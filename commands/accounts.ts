import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { findUserByEmail } from "#app/domain/accounts/find-user-by-email.server.ts";
import { listAccounts } from "#app/domain/accounts/list-accounts.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { recordBalanceReturn } from "#app/domain/billing/bank-transfers/record-balance-return.server.ts";
import { recordRepayment } from "#app/domain/billing/bank-transfers/record-repayment.server.ts";
import {
  reverseBalanceReturn,
  reverseRepayment,
} from "#app/domain/billing/bank-transfers/reverse-bank-transfer.server.ts";
import { formatInvoiceNumber, parseInvoiceNumber } from "#app/domain/billing/invoices/invoice.ts";
import { recordInvoicePayment } from "#app/domain/billing/invoices/record-invoice-payment.server.ts";
import { listClosedBalances } from "#app/domain/billing/ledger/list-closed-balances.server.ts";
import { payOutRemainder } from "#app/domain/billing/payouts/pay-out-remainder.server.ts";
import { cancelPlan } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { type AccountId, parseId } from "#app/domain/ids.ts";
import { asCents, type Cents, formatCents, parseDollars } from "#app/domain/money.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/**
 * `npm run accounts -- list | closed | approve EMAIL | suspend EMAIL | credit-limit EMAIL DOLLARS | invoice-paid NUMBER
 * | payout EMAIL | cancel-plan EMAIL | repaid EMAIL_OR_ID DOLLARS REFERENCE | repayment-reversed EMAIL_OR_ID REFERENCE
 * | balance-returned ACCOUNT_ID DOLLARS REFERENCE | balance-return-reversed ACCOUNT_ID REFERENCE`
 */
const usage =
  "Usage: npm run accounts -- list | closed | approve EMAIL | suspend EMAIL | credit-limit EMAIL DOLLARS | invoice-paid NUMBER | payout EMAIL | cancel-plan EMAIL | repaid EMAIL_OR_ID DOLLARS REFERENCE | repayment-reversed EMAIL_OR_ID REFERENCE | balance-returned ACCOUNT_ID DOLLARS REFERENCE | balance-return-reversed ACCOUNT_ID REFERENCE";

/** What is recorded of the transfers of an account, each with its amount and the bank's reference. */
const transfers = {
  repaid: { record: recordRepayment, describeTransfer: describeRepayment },
  "balance-returned": { record: recordBalanceReturn, describeTransfer: describeReturn },
} as const;
/** The same for those that were recorded wrongly or returned. */
const reversals = {
  "repayment-reversed": { reverse: reverseRepayment, describeTransfer: describeRepayment },
  "balance-return-reversed": { reverse: reverseBalanceReturn, describeTransfer: describeReturn },
} as const;

export default databaseCommand(async ({ ctx, args }) => {
  const [verb, email, second, reference, ...more] = args;
  const transfer = Object.entries(transfers).find(([name]) => name === verb)?.[1];
  const reversal = Object.entries(reversals).find(([name]) => name === verb)?.[1];
  // Of several addresses only the first would be approved.
  if (more.length > 0 || (reference !== undefined && !transfer)) throw new StartupError(usage);
  const takesSecond = verb === "credit-limit" || transfer || reversal;
  if (second !== undefined && !takesSecond) throw new StartupError(usage);
  if (verb === "list" && !email) return list(ctx);
  if (verb === "closed" && !email) return listClosed(ctx);
  const number = verb === "invoice-paid" ? parseInvoiceNumber(email ?? "") : undefined;
  if (number !== undefined) {
    const paid = await recordInvoicePayment(ctx, { number });
    return print(`${formatInvoiceNumber(number)} marked as paid: ${formatCents(paid)}`);
  }
  if (transfer) return recordTransfer(ctx, transfer, { account: email, dollars: second, reference });
  if (reversal) return recordReversal(ctx, reversal, { account: email, reference: second });
  const amount = verb === "credit-limit" ? parseDollars(second ?? "") : undefined;
  const takesEmail =
    verb === "approve" || verb === "suspend" || verb === "payout" || verb === "cancel-plan" || amount !== undefined;
  if (!takesEmail || !email) throw new StartupError(usage);
  const accountId = (await findUserByEmail(ctx, { email }))?.accountId;
  if (!accountId) throw new StartupError(`No account found for ${email}`);
  if (amount !== undefined) {
    await setCreditLimit(ctx, { accountId, amount });
    return print(`Credit limit for ${email} set to ${formatCents(amount)}`);
  }
  if (verb === "payout")
    return print(`Payout of ${formatCents(await payOutRemainder(ctx, { accountId }))} to ${email} started`);
  if (verb === "cancel-plan") {
    const { endsAt } = await cancelPlan(ctx, { accountId });
    return print(
      `Plan of ${email} canceled: ${endsAt > ctx.clock() ? `it ends on ${formatDate(endsAt)}` : "it has ended"}`,
    );
  }
  const { changed } = await (verb === "approve" ? approveAccount : suspendAccount)(ctx, { accountId });
  const status = verb === "approve" ? "approved" : "suspended";
  print(changed ? `${email} is now ${status}` : `${email} is already ${status}`);
});

/** Records a transfer, also one of a closed account, which has only its ID. */
async function recordTransfer(
  ctx: Ctx<OperatorActor>,
  { record, describeTransfer }: (typeof transfers)[keyof typeof transfers],
  { account, dollars, reference }: Record<"account" | "dollars" | "reference", string | undefined>,
): Promise<void> {
  const amount = parseDollars(dollars ?? "");
  if (!account || amount === undefined || !reference) throw new StartupError(usage);
  const accountId = await requireAccount(ctx, account);
  const { replayed } = await record(ctx, { accountId, amount, reference });
  print(`${describeTransfer(amount, account)} ${replayed ? "already recorded" : "recorded"} under ${reference}`);
}

/** Reverses a transfer, also one of a closed account. */
async function recordReversal(
  ctx: Ctx<OperatorActor>,
  { reverse, describeTransfer }: (typeof reversals)[keyof typeof reversals],
  { account, reference }: Record<"account" | "reference", string | undefined>,
): Promise<void> {
  if (!account || !reference) throw new StartupError(usage);
  const accountId = await requireAccount(ctx, account);
  const { amount, replayed } = await reverse(ctx, { accountId, reference });
  print(`${describeTransfer(amount, account)} under ${reference} ${replayed ? "was already reversed" : "reversed"}`);
}

function describeRepayment(amount: Cents, account: string): string {
  return `Repayment of ${formatCents(amount)} by ${account}`;
}

function describeReturn(amount: Cents, account: string): string {
  return `Return of ${formatCents(amount)} to ${account}`;
}

async function requireAccount(ctx: Ctx<OperatorActor>, emailOrId: string): Promise<AccountId> {
  const accountId = parseId<AccountId>(emailOrId) ?? (await findUserByEmail(ctx, { email: emailOrId }))?.accountId;
  if (!accountId) throw new StartupError(`No account found for ${emailOrId}`);
  return accountId;
}

/** Lists the closed accounts with a balance, with their ids, because they have no people any more. */
async function listClosed(ctx: Ctx<OperatorActor>): Promise<void> {
  const closed = await listClosedBalances(ctx);
  for (const { id, type, companyName, balance } of closed) {
    const money = balance > 0 ? `is owed ${formatCents(balance)}` : `owes ${formatCents(asCents(-balance))}`;
    print([id, type, companyName, money].join("\t"));
  }
  if (closed.length === 0) printNote("No closed account has a balance");
}

async function list(ctx: Ctx<OperatorActor>): Promise<void> {
  let after: AccountId | undefined;
  do {
    const page = await listAccounts(ctx, { limit: 500, after });
    for (const account of page.accounts) {
      print([account.status, account.type, account.email ?? "-", account.companyName].join("\t"));
    }
    if (!after && page.accounts.length === 0) printNote("No accounts");
    after = page.next;
  } while (after);
}
