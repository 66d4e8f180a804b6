import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { requiredProvider } from "#app/domain/accounts/sign-in/oidc-config.ts";
import { plans } from "#app/domain/billing/plan.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { DomainError } from "#app/domain/errors.ts";
import { bpsToPercent, maxCommissionBps } from "#app/domain/rate.ts";
import { env } from "#app/env.server.ts";
import { registrationHref } from "#app/portal/after-sign-in.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { publicPageMeta } from "#app/screens/public/public-page-meta.ts";
import { Screenshot } from "#app/screens/public/screenshots/screenshot.tsx";
import { SignInForms } from "#app/screens/public/sign-in-forms.tsx";
import { SiteHomeLink } from "#app/screens/public/site-layout.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { googleId } from "#app/web/sign-in/identity-provider.server.ts";
import { startSignIn } from "#app/web/sign-in/sign-in.server.ts";

/**
 * One module for `/advertiser/login` and `/publisher/login`. `redirectTo` is the page first requested; without one, a
 * newcomer goes on to register for this portal.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { portal, redirectTo } = readLoginRequest(request);
  if (await findViewer(request, context)) throw redirect(redirectTo ?? `/${portal}/dashboard`);
  return {
    portal,
    continues: redirectTo !== undefined,
    approval: env().accountApproval,
    publicUrl: env().publicUrl,
    promises: benefitsOf(portal),
    ways: signInMethods(),
  };
}

function signInMethods() {
  const { google, hasStandIn, oidcProviders } = env();
  return {
    hasGoogle: google !== undefined || hasStandIn,
    providers: oidcProviders.map(({ id, name }) => ({ id, name })),
    byEmail: oidcProviders.some(({ domains }) => domains.length > 0),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readFormData(request);
  const [provider, email] = [form.get("provider"), form.get("email")].map((value) =>
    typeof value === "string" ? value.trim().slice(0, 254) : undefined,
  );
  try {
    const { portal, redirectTo = registrationHref(portal) } = readLoginRequest(request);
    const provided = email === undefined ? { provider: provider || googleId } : providerFor(email);
    const { url, headers } = await startSignIn(request, { ...provided, redirectTo, context });
    return redirect(url, { headers });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const headers = new Headers();
    if (error.code !== "invalid_input") headers.set("Retry-After", String(error.retryAfterSeconds ?? 60));
    return data({ message: error.message, email: email ?? "" }, { status: statusByErrorCode[error.code], headers });
  }
}

/** The provider that the address has to use; Google for all others. */
function providerFor(email: string): { provider: string; loginHint: string } {
  const required = requiredProvider(env().oidcProviders, email);
  if (!required && !signInMethods().hasGoogle)
    throw new DomainError("invalid_input", "No company with this email domain signs in here. Check the address.");
  return { provider: required?.id ?? googleId, loginHint: email };
}

export default function Login() {
  const { portal, promises, ways, ...next } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const { title, intro, promise, other } = copy[portal];
  return (
    <div className="sign-in" data-portal={portal}>
      <main id="main" className="sign-in-main">
        <SiteHomeLink />
        <div className="stack">
          <header>
            <h1>{title}</h1>
            <p>{intro}</p>
          </header>
          {rejected ? <Notice tone="bad">{rejected.message}</Notice> : null}
          <SignInForms {...ways} email={rejected?.email ?? ""} />
          <p className="hint">
            By continuing you accept the{" "}
            <Link className="link" to="/terms">
              Terms of Service
            </Link>{" "}
            and{" "}
            <Link className="link" to="/privacy">
              Privacy Policy
            </Link>
            .
          </p>
          <NextSteps portal={portal} {...next} hasOthers={ways.providers.length > 0} />
          <p className="hint">
            {other.question}{" "}
            <Link className="link" to={`/${other.portal}/login`}>
              {other.link}
            </Link>
          </p>
        </div>
      </main>
      <aside className="sign-in-aside">
        <div>
          <h2>{promise}</h2>
          <ul className="check-list">
            {promises.map(([head, text]) => (
              <li key={head}>
                <Icon name="check" />
                <span>
                  <b>{head}</b>
                  {text}
                </span>
              </li>
            ))}
          </ul>
          <Screenshot {...screens[portal]} />
        </div>
      </aside>
    </div>
  );
}

/** What happens after the button: what Google tells us, what a newcomer is asked, and where it ends. */
function NextSteps({
  portal,
  continues,
  approval,
  hasOthers,
}: {
  portal: AccountType;
  continues: boolean;
  approval: "auto" | "manual";
  hasOthers: boolean;
}) {
  return (
    <section aria-labelledby="next-title" className="sign-in-next">
      <h2 id="next-title">What happens next</h2>
      <ol className="walk">
        <li>
          <b>{hasOthers ? "Choose your account" : "Choose your Google account"}</b>
          We receive your name, email address, profile image and the account's ID. We can't read anything else in it.
        </li>
        <li>
          <b>New here? Tell us about your company</b>
          Only its name is required.
          {approval === "manual" ? " We approve each new account before it can use the portal." : ""}
        </li>
        <li>
          <b>{copy[portal].arrival}</b>
          {continues ? "You continue with the page you asked for." : copy[portal].inside}
        </li>
      </ol>
    </section>
  );
}

type Copy = {
  title: string;
  intro: string;
  promise: string;
  arrival: string;
  inside: string;
  other: { portal: AccountType; question: string; link: string };
};

const copy: Record<AccountType, Copy> = {
  advertiser: {
    title: "Advertiser sign-in",
    intro: "Launch campaigns with audiences from niche ecommerce retailers.",
    promise: "Reach people who already buy.",
    arrival: "Open the Advertiser Portal",
    inside: "Campaigns, products, analytics and billing are there.",
    other: { portal: "publisher", question: "Do you have a store?", link: "Publisher sign-in" },
  },
  publisher: {
    title: "Publisher sign-in",
    intro: "The Ecommerce Portal: earn from the audiences you already have.",
    promise: "Turn your audiences into income.",
    arrival: "Open the Publisher Portal",
    inside: "Audiences, approvals, revenue and payouts are there.",
    other: { portal: "advertiser", question: "Do you advertise?", link: "Advertiser sign-in" },
  },
};

const screens = {
  advertiser: {
    name: "analytics",
    alt: "Analytics with demo data: spend, revenue and six more metrics, spend by day and by channel.",
  },
  publisher: {
    name: "approval",
    alt: "Campaign approval with demo data: campaigns that wait for the store's decision.",
  },
} as const;

function benefitsOf(portal: AccountType): [head: string, text: string][] {
  if (portal === "advertiser") {
    return [
      ["Autonomous campaign creation", "From idea to launch in six steps."],
      ["Advanced targeting", "Geolocation, demographic and behavioral targeting."],
      ["Real-time analytics", "See spend, clicks and return as they happen."],
      ["Pay-per-spend billing", "Pay only for what is delivered."],
      ["A premium network", "Verified retailers with first-party audiences."],
    ];
  }
  return [
    ["Audience upload and monetization", "Hashed identifiers, your price, your rules."],
    ["Campaign approval workflow", "Nothing runs on your audiences without your approval."],
    [
      "Revenue sharing and analytics",
      `Up to ${bpsToPercent(maxCommissionBps)}% of advertiser spend, with transparent payouts.`,
    ],
    ["Monthly subscription plans", `From ${plans.starter.campaignLimit} campaigns to unlimited.`],
  ];
}

export const meta: MetaFunction<typeof loader> = ({ data: found }) => {
  const portal = found?.portal ?? "advertiser";
  return publicPageMeta({
    publicUrl: found?.publicUrl,
    path: `/${portal}/login`,
    title: pageTitle(copy[portal].title),
    description: copy[portal].intro,
  });
};

function readLoginRequest(request: Request): { portal: AccountType; redirectTo: string | undefined } {
  const { pathname, searchParams } = new URL(request.url);
  return {
    portal: /^\/publisher\//i.test(pathname) ? "publisher" : "advertiser",
    redirectTo: safeRedirectPath(searchParams.get("redirectTo")),
  };
}
