import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";

/** Returns the page where a newcomer registers for a portal. */
export function registrationHref(portal: AccountType): `/register?type=${AccountType}` {
  return `/register?type=${portal}`;
}

/**
 * Returns where a sign-in leads: to the page first requested, else to the landing page. A portal's sign-in page asks
 * for its registration, which only a newcomer needs.
 */
export function destinationAfterSignIn(
  viewer: Pick<Viewer, "accountId">,
  redirectTo: string | null | undefined,
): string {
  if (!redirectTo) return "/";
  return viewer.accountId && redirectTo.startsWith("/register?") ? "/" : redirectTo;
}
