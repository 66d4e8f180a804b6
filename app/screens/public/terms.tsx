import type { MetaFunction } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { pageTitle, productName } from "#app/domain/product.ts";
import { TextPage } from "./site-frame.tsx";

export const meta: MetaFunction = () => [{ title: pageTitle("Terms of Service") }];

export default function Terms() {
  return (
    <TextPage title="Terms of Service" updated="November 22, 2026">
      <p>
        These terms are the agreement between your company and {productName}. By continuing with your Google account you
        accept them, and the <Link to="/privacy">Privacy Policy</Link>, for the company you act for.
      </p>

      <h2>What {productName} is</h2>
      <p>
        {productName} is an ad network with two sides. Advertisers run campaigns on demand-side platforms and walled
        gardens. Publishers offer audiences made from their customers, decide which campaigns may use them, and earn a
        share of what is spent.
      </p>

      <h2>Your account</h2>
      <ul>
        <li>An account belongs to a company and is of one kind: advertiser or publisher.</li>
        <li>What you tell us when you register must be true, and kept true on your profile.</li>
        <li>An account may have to be approved before its portal opens. We may suspend one that breaks these terms.</li>
        <li>You answer for what is done with your sign-in. Tell us at once when someone else may have it.</li>
      </ul>

      <h2>For advertisers</h2>
      <ul>
        <li>You have the rights to everything you show, and it is lawful and not misleading where it is shown.</li>
        <li>
          Each publisher whose audience you choose reviews the campaign, and may reject it without giving a reason. A
          change to an approved campaign is reviewed again; until then the approved version goes on.
        </li>
        <li>
          You pay for what your campaigns spend, never more than the budget you set. A review typically takes up to 24
          hours; that is no promise.
        </li>
        <li>You do not try to find out who is in an audience, alone or by combining audiences.</li>
      </ul>

      <h2>For publishers</h2>
      <ul>
        <li>
          You may only upload data of your own customers that you are allowed to use for advertising, and you remove
          people who have objected.
        </li>
        <li>An audience can be used once it has at least 1,000 distinct records.</li>
        <li>
          You earn a percentage of the advertiser's spend on your audiences: 70% unless agreed otherwise, and at most
          80%. The rate is fixed for a campaign when you approve it. The rest is the platform fee.
        </li>
        <li>
          Plans are paid monthly in US dollars and limit how many campaigns you can have running. Your plan's limits are
          shown before you choose it.
        </li>
        <li>A campaign you create for an advertiser belongs to that advertiser, who can pause it at any time.</li>
      </ul>

      <h2>Money</h2>
      <p>
        All amounts are in US dollars. Every movement is an entry in a ledger that is never changed; a mistake is
        corrected by a new entry that you can see. Tell us within 60 days when you think a charge or a payout is wrong.
      </p>

      <h2>What is not allowed</h2>
      <ul>
        <li>Raw personal data where a hash is asked for, in notes, names or files.</li>
        <li>Advertising for what is unlawful, or that singles out people by health, belief, origin or orientation.</li>
        <li>Probing, overloading or working around the limits of the service, or getting at another company's data.</li>
      </ul>

      <h2 id="weaknesses">Reporting a weakness</h2>
      <p>
        Tell us at once when you find a weakness of the service. You do not break these terms by finding one if you tell
        us first, and neither use nor keep data that are not your own.
      </p>

      <h2>Liability and ending</h2>
      <p>
        We run the service with care, and cannot promise that it is never interrupted or that a campaign has a certain
        result. Either side may end this agreement at any time; running campaigns stop, what was earned is paid and what
        was spent is owed.
      </p>

      <h2>Changes</h2>
      <p>
        When these terms change in a way that matters, we tell you by e-mail at least 30 days before. The day of the
        last change stands at the top.
      </p>
    </TextPage>
  );
}
