import type { AccountStatus, AccountType, UserType } from "../accounts/account.ts";

export const accessDecisions = ["login", "register", "denied", "awaiting-approval", "granted"] as const;
export type AccessDecision = (typeof accessDecisions)[number];

/**
 * Returns whether a viewer may open a portal, and if not, what the viewer sees instead. A suspended account gets the
 * same decision as one that awaits approval.
 */
export function decideAccess(
  viewer: { userType: UserType; status: AccountStatus } | undefined,
  portal: AccountType,
): AccessDecision {
  if (!viewer) return "login";
  if (viewer.userType === "pending") return "register";
  if (viewer.userType !== portal) return "denied";
  return viewer.status === "approved" ? "granted" : "awaiting-approval";
}
