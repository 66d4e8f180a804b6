import type { AccountType, UserType } from "#app/domain/accounts/account.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";

/** Where the landing page's buttons lead for this viewer; `undefined` for a visitor. */
export function landingLinks(userType: UserType | undefined) {
  return {
    /** The specification's destination of a portal card. */
    card: (portal: AccountType) => (userType ? `/${portal}` : `/${portal}/login`),
    signIn: (portal: AccountType) => `/${portal}/login?${new URLSearchParams({ redirectTo: `/${portal}/dashboard` })}`,
    /** The plan's page; on the way there a visitor signs in and a newcomer registers. Undefined for advertisers. */
    plan: (plan: PlanType) => {
      const page = `/publisher/billing/subscription/plans/${plan}`;
      if (userType === "publisher") return page;
      if (userType === "advertiser") return undefined;
      const registration = registrationUrl("publisher", page);
      return userType ? registration : `/publisher/login?${new URLSearchParams({ redirectTo: registration })}`;
    },
  };
}

function registrationUrl(type: AccountType, redirectTo: string): string {
  return `/register?${new URLSearchParams({ type, redirectTo })}`;
}
