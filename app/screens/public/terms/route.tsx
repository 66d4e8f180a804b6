import type { MetaFunction } from "@remix-run/node";
import { appName, pageTitle } from "#app/domain/branding.ts";
import { env } from "#app/env.server.ts";
import { publicPageMeta } from "#app/screens/public/public-page-meta.ts";
import { LegalPage } from "#app/screens/public/site-layout.tsx";
import { Link } from "#app/ui/link.tsx";
import { staticPage } from "#app/web/static-page.ts";

export function loader() {
  return { publicUrl: env().publicUrl };
}

export const handle = staticPage;

export const meta: MetaFunction<typeof loader> = ({ data: found }) =>
  publicPageMeta({
    publicUrl: found?.publicUrl,
    path: "/terms",
    title: pageTitle("Terms of Service"),
    description: `The agreement between your company and ${appName}: accounts, campaigns, audiences, money and what is not allowed.`,
  });

export default function Terms() {
  return (
    <LegalPage title="Terms of Service" updated="November 30, 2026">
      <p>
        These terms are the agreement between your company and {appName}. By signing in you accept them, and the{" "}
        <Link to="/privacy">Privacy Policy</Link>, for the company you act for.
      </p>

      <h2>What {appName} is</h2>
      <p>
        {appName} is an ad network with two sides. Advertisers run campaigns on demand-side platforms and walled
        gardens. Publishers offer audiences built from their customers, decide which campaigns may use them, and earn a
        share of the spend.
      </p>

      <h2>Your account</h2>
      <ul>
        <li>An account belongs to a company and is either an advertiser or a publisher account.</li>
        <li>
          The information you give when you register must be accurate, and you must keep it up to date in your profile.
        </li>
        <li>
          We may need to approve an account before it can use the portal. We may suspend an account that breaks these
          terms.
        </li>
        <li>
          You are responsible for activity under your sign-in. Tell us at once if someone else may have access to it.
        </li>
      </ul>

      <h2>For advertisers</h2>
      <ul>
        <li>
          You must own the rights to everything you advertise, and it must be lawful and not misleading where it is
          shown.
        </li>
        <li>
          Each publisher whose audience you choose reviews the campaign, and may reject it without giving a reason. A
          change to an approved campaign is reviewed again; until then the approved version keeps running.
        </li>
        <li>
          You pay for what your campaigns spend, never more than the budget you set. Reviews typically take up to 24
          hours, but this is not guaranteed.
        </li>
        <li>You must not try to find out who is in an audience, from one audience or by combining several.</li>
      </ul>

      <h2>For publishers</h2>
      <ul>
        <li>
          You may upload only your own customers' data that you are allowed to use for advertising, and you must remove
          people who have objected.
        </li>
        <li>An audience can be used once it has at least 1,000 distinct records.</li>
        <li>
          You earn a percentage of the advertiser's spend on your audiences: 70% by default, and at most 80%. The rate
          is fixed for a campaign when you approve it. The rest is the platform fee.
        </li>
        <li>
          Plans are billed monthly in US dollars and limit how many campaigns you can run at a time. Your plan's limits
          are shown before you choose it.
        </li>
        <li>A campaign you create for an advertiser belongs to that advertiser, who can pause it at any time.</li>
      </ul>

      <h2>Money</h2>
      <p>
        All amounts are in US dollars. Every transaction is a permanent ledger entry; mistakes are corrected with a new
        entry that you can see. If you think a charge or payout is wrong, tell us within 60 days.
      </p>

      <h2>What is not allowed</h2>
      <ul>
        <li>Raw personal data in notes, names or files, or where a hash is required.</li>
        <li>Advertising anything unlawful, or targeting people by health, belief, origin or orientation.</li>
        <li>Probing or overloading the service, circumventing its limits, or accessing another company's data.</li>
      </ul>

      <h2 id="weaknesses">Reporting a weakness</h2>
      <p>
        Tell us at once when you find a weakness of the service. You do not break these terms by finding one if you tell
        us first, and neither use nor keep data that are not your own.
      </p>

      <h2>Liability and termination</h2>
      <p>
        We run the service with care but cannot guarantee that it is uninterrupted or that a campaign achieves a
        particular result. Either side may end this agreement at any time; running campaigns stop, earnings are paid out
        and spend remains due.
      </p>

      <h2>Changes</h2>
      <p>
        If we make a material change, we notify you by email at least 30 days in advance. The date of the last change is
        at the top of this page.
      </p>
    </LegalPage>
  );
}
