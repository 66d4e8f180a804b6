import type { SuppressionReason } from "./mail-feedback.ts";

/** Describes to people of the account why emails to an address are held back. Pure. */
export function describeSuppression({ reason, status }: { reason: SuppressionReason; status: string | null }): string {
  switch (reason) {
    case "bounce":
      return `The mail server says that the address doesn't exist or takes no emails${status ? ` (${status})` : ""}.`;
    case "soft_bounces":
      return "Emails came back on three days within two weeks, for example because the mailbox is full.";
    case "complaint":
      return "An email from us was marked as spam.";
  }
}

/** Returns the heading of the same. Pure. */
export function suppressionTitle({ address, reason }: { address: string; reason: SuppressionReason }): string {
  return reason === "complaint" ? `We stopped emails to ${address}` : `Emails to ${address} come back`;
}
