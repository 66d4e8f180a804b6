import type { AccountStatus, AccountType, UserType } from "../accounts/account.ts";

export const accessDecisions = ["login", "register", "denied", "awaiting-approval", "granted"] as const;
export type AccessDecision = (typeof accessDecisions)[number];

/** Whether a viewer may enter a portal, and if not, what they meet instead. A suspended account reads like one not approved. */
export function decideAccess(
  viewer: { userType: UserType; status: AccountStatus } | undefined,
  portal: AccountType,
): AccessDecision {
  if (!viewer) return "login";
  if (viewer.userType === "pending") return "register";
  if (viewer.userType !== portal) return "denied";
  return viewer.status === "approved" ? "granted" : "awaiting-approval";
}
