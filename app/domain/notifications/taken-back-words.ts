import type { AccountType } from "../accounts/account.ts";
import { formatCents, toCents } from "../money.ts";
import type { Notice, NoticeWords } from "./notification.ts";

/** What an account reads of a payment that went back past our books, or stands after all. Pure. */
export function wordsOfTakenBack(
  { event, facts }: Pick<Notice, "facts"> & { event: "payment_taken_back" | "payment_reinstated" },
  reader: AccountType,
): NoticeWords {
  const amount = formatCents(toCents(Math.round((facts.amount ?? 0) * 100)));
  const page = {
    action: "View billing",
    path: reader === "advertiser" ? "/billing" : "/billing?tab=subscription",
  } as const;
  if (event === "payment_reinstated") {
    return {
      title: `Your payment of ${amount} stands`,
      lines: [facts.isDispute ? "The dispute of it is decided." : "It could not be given back.", back[reader]],
      ...page,
    };
  }
  return {
    title: facts.isDispute ? `Your bank took back ${amount}` : `${amount} of your payment was given back`,
    lines: [facts.isDispute ? "A payment of yours is disputed." : "It went back the way it came.", gone[reader]],
    ...page,
  };
}

const gone: Record<AccountType, string> = {
  advertiser:
    "It is taken from your wallet, or the invoice that it paid is open again. What your wallet does not hold you owe: your campaigns wait until it is paid.",
  publisher:
    "If your plan was paid by it, its payment is open again: you can pay it at once, by another payment method too.",
};
const back: Record<AccountType, string> = {
  advertiser: "It is in your wallet again, or pays what you owe.",
  publisher: "If your plan waited for it, it goes on as it was.",
};
