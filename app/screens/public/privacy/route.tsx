import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { deviceTtlMs } from "#app/domain/accounts/sign-in/device.ts";
import { sessionIdleTimeoutMs, sessionMaxAgeMs } from "#app/domain/accounts/sign-in/session.ts";
import { maxRemovedDays } from "#app/domain/audiences/members/delta-policy.ts";
import { appName, pageTitle } from "#app/domain/branding.ts";
import { erasureDelayDays } from "#app/domain/privacy/erasure.ts";
import { env } from "#app/env.server.ts";
import { publicPageMeta } from "#app/screens/public/public-page-meta.ts";
import { LegalPage } from "#app/screens/public/site-layout.tsx";
import { staticPage } from "#app/web/static-page.ts";

/** The periods on the page are those that the server applies. */
export function loader() {
  const { publicUrl, retentionDays } = env();
  return {
    publicUrl,
    days: {
      ...retentionDays,
      session: Math.round(sessionMaxAgeMs / dayMs),
      device: Math.round(deviceTtlMs / dayMs),
      erasureDelay: erasureDelayDays,
      // The job that deletes removed people runs each minute, and has a day to succeed.
      removed: maxRemovedDays + 1,
    },
    idleHours: Math.round(sessionIdleTimeoutMs / hourMs),
  };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const handle = staticPage;

export const meta: MetaFunction<typeof loader> = ({ data: found }) =>
  publicPageMeta({
    publicUrl: found?.publicUrl,
    path: "/privacy",
    title: pageTitle("Privacy Policy"),
    description: `Which personal data ${appName} holds, why, for how long, and who can see it.`,
  });

export default function Privacy() {
  const { days, idleHours } = useLoaderData<typeof loader>();
  return (
    <LegalPage title="Privacy Policy" updated="November 30, 2026">
      <p>
        This page explains which personal data {appName} holds, why, for how long, and who can see it. It covers two
        groups of people: those who use {appName} for their company, and the customers of publishers, who may be in an
        audience.
      </p>

      <h2>If you use {appName}</h2>
      <ul>
        <li>
          <b>From Google or your company&apos;s identity provider, when you sign in:</b> your name, your email address,
          the URL of your profile image and the ID of your account there. We never see your password and cannot read
          anything else in that account.
        </li>
        <li>
          <b>From you:</b> your company's name and what you tell us about it, the campaigns you create and the notes you
          write.
        </li>
        <li>
          <b>From your use:</b> a history of who changed what, so that both parties to a campaign can see how decisions
          were made.
        </li>
      </ul>
      <p>
        We use this to run the service, to send the messages it needs (such as the decision on a campaign), and to keep
        it safe. {appName} itself shows no advertising and uses no third-party trackers.
      </p>

      <h2>If you are in an audience</h2>
      <p>
        A publisher may add its customers to an audience. Their email addresses and phone numbers are turned into{" "}
        <span className="whitespace-nowrap">SHA-256</span> hashes while the file is being read, and are never written to
        a file, database or log in a readable form. A file that waits to be read, and a spreadsheet, are encrypted until
        then, with a key that is in memory only.
      </p>
      <p>
        We also read in which country a person lives and whether they agreed to marketing. Everything in the file but
        the hashes is discarded, with one exception. The report that the publisher gets of the file has examples of its
        values that are masked, such as <span className="whitespace-nowrap">j***@e***</span>.
      </p>
      <p>
        <b>Names and postal codes.</b> Google and Meta can also find people by name, postal code and country. When a
        publisher chooses to use this, the first and the last name are hashed in the same way, and the postal code and
        the country are kept as they are, because Google takes them so. All four are stored encrypted together with the
        person&apos;s hash, and deleted with it.
      </p>
      <p>
        <b>What hashing is.</b> A hash is a fingerprint that is computed from an address. The original cannot be read
        back from the hash, so nobody who sees our database can see who it belongs to.
      </p>
      <p>
        <b>What hashing is not.</b> Hashing is not encryption, and it does not hide someone from a person who already
        knows their address. <b>These hashes are pseudonymous, not anonymous.</b> They are unsalted, because channels
        can only match them that way. So the same address always gives the same hash: whoever already knows an address,
        or tries many, can compute its hash and compare. There are few enough phone numbers to try them all.
      </p>
      <p>
        We therefore treat every hash as personal data: we keep each publisher's hashes separate, never show or export
        them, and use them only for that publisher's audiences.
      </p>
      <p>
        Advertisers see an audience's name, description, segment, rounded size and price. An audience of fewer than
        1,000 people cannot be used, and sizes are given in steps, so nobody can be singled out.
      </p>
      <p>
        The publisher decides what happens with this data, and we act on its behalf. If you want to know whether you are
        in an audience, or want to be removed, contact the store you bought from. When a store asks us to, we erase an
        identifier from all of its audiences.
      </p>

      <h2>Cookies</h2>
      <p>We use only cookies that the service needs, and none that track you elsewhere:</p>
      <ul>
        <li>
          your session, which ends when you sign out, after {idleHours} hours without use, or after {days.session} days;
        </li>
        <li>a sign-in in progress, for 10 minutes;</li>
        <li>
          a random number that identifies this browser, for {days.device} days, so that we can email you about sign-ins
          from a new browser. We keep only a hash of it together with your account;
        </li>
        <li>the short confirmation shown after you submit a form, for one minute;</li>
        <li>the time of your last change, for 10 minutes, so that every page shows it at once;</li>
        <li>that you dismissed the test mode banner, for 7 days;</li>
        <li>the campaign that you left empty in test mode, for one day, so that you continue with it;</li>
        <li>your choices of light or dark and of keyboard shortcuts, for 400 days.</li>
      </ul>

      <h2>Who receives data</h2>
      <ul>
        <li>
          The channels a campaign runs on receive the hashes of its audiences, for that campaign. Google and Meta also
          receive the names (hashed) and postal codes that a publisher chose to use; Meta gets these hashed too.
        </li>
        <li>
          A payment provider handles cards. We keep the brand, the last four digits and the expiry date, never the
          number.
        </li>
        <li>The other party to a campaign sees your company name, your decisions and the notes you send them.</li>
      </ul>
      <p>We do not sell personal data.</p>

      <h2 id="retention">How long we keep data</h2>
      <ul>
        <li>
          Your name, email address and sign-ins: until you have them erased in your profile, which is done{" "}
          {days.erasureDelay} days after you ask, so that you can change your mind. If you signed in and never
          registered a company: {days.unregisteredPeople} days.
        </li>
        <li>
          Notifications: {days.notifications} days. The address that an email went to: {days.mailAddresses} days. That
          emails to your address come back: until you confirm it, and {days.mailAddresses} days more.
        </li>
        <li>What we sent to your webhooks: {days.webhookDeliveries} days.</li>
        <li>
          Audiences: until the publisher removes the person, or closes its account. The hash of a person who is removed
          is no longer used, and deleted within {days.removed} days; when we erase a person, it is deleted at once. An
          archived audience keeps its people, so that it can be restored.
        </li>
        <li>
          Financial records, campaigns and decisions, with the names of the companies: for as long as the law requires.
          They are never changed. In the history of who did what, an erased person is “Former user”.
        </li>
        <li>Technical logs contain no email addresses and nothing people typed.</li>
        <li>Backups: until they expire. Whoever restores one repeats the erasures since.</li>
      </ul>

      <h2>Your rights</h2>
      <p>
        In your profile you can see and correct your data, download a copy of it, and have it erased. To have us stop
        using it, reply to any message we have sent you. You can also complain to your data protection authority.
      </p>
    </LegalPage>
  );
}
