import type { AccountType } from "../accounts/account.ts";
import { appName } from "../branding.ts";
import { formatDay } from "./copy-formats.ts";
import type { AccountNotification, NotificationCopy, NotificationFacts } from "./notification.ts";

type AccountEvent =
  | "account_registered"
  | "account_approved"
  | "account_suspended"
  | "account_closing"
  | "email_confirmation";

/** Describes what happened to an account, or to the address of one of its people. Pure. */
export function describeAccountEvent(
  { event, facts }: Pick<AccountNotification, "facts"> & { event: AccountEvent },
  reader: AccountType,
): NotificationCopy {
  const home = { action: "Go to dashboard", path: "/dashboard" } as const;
  switch (event) {
    case "account_registered":
      return { title: `Welcome to ${appName}`, lines: welcomeLines(facts, reader), ...home };
    case "account_approved":
      return {
        title: "Your account has been approved",
        lines: [`${facts.company} now has full access to the portal.`],
        ...home,
      };
    case "account_suspended":
      return {
        title: "Your account has been suspended",
        lines: [
          `${facts.company} no longer has access to the portal. If you think this is a mistake, contact support.`,
        ],
        ...home,
      };
    case "account_closing":
      return {
        title: facts.closesAccount
          ? `Your account for ${facts.company} will be closed on ${formatDay(facts) ?? "the day shown in your profile"}`
          : `Personal data will be erased on ${formatDay(facts) ?? "the day shown in the profile"}`,
        lines: [
          facts.closesAccount
            ? "Someone asked for this in your profile, or we did at your request. On that day (UTC) your sign-in, audiences, catalog and connections are deleted, which can't be undone."
            : "A person of your account asked for this, or we did at their request. The account itself stays.",
          "If this is not what you want, cancel it in your profile before that day.",
        ],
        action: "View request",
        path: "/profile/close",
      };
    case "email_confirmation":
      return {
        title: "Confirm your email address",
        lines: [
          "Emails to this address came back or were marked as spam, so we stopped sending them. Confirm that you received this one, and we'll send them again.",
          "If you didn't ask for this, you can ignore it.",
        ],
        action: "Confirm email address",
        path: "/profile/confirm-email",
      };
  }
}

function welcomeLines({ company, isWaiting }: NotificationFacts, reader: AccountType): string[] {
  const what =
    reader === "advertiser"
      ? "Launch campaigns with audiences from retailers, and see the return on every dollar."
      : "Upload your audiences, approve the campaigns that use them, and earn a share of the spend.";
  return [
    `${company} is registered. ${what}`,
    ...(isWaiting ? ["We review every new account. You'll get an email when yours is approved."] : []),
  ];
}
