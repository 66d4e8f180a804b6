import type { MetaFunction } from "@remix-run/node";
import { pageTitle, productName } from "#app/domain/product.ts";
import { TextPage } from "./site-frame.tsx";

export const meta: MetaFunction = () => [{ title: pageTitle("Privacy Policy") }];

export default function Privacy() {
  return (
    <TextPage title="Privacy Policy" updated="November 21, 2026">
      <p>
        This page says which personal data {productName} has, why, for how long, and who can see it. It covers two
        groups of people: those who use {productName} for their company, and the customers of publishers, who may be in
        an audience.
      </p>

      <h2>If you use {productName}</h2>
      <ul>
        <li>
          <b>From Google, when you sign in:</b> your name, your e-mail address, the address of your picture and the id
          of your Google account. We never see your password and cannot read anything else in your Google account.
        </li>
        <li>
          <b>From you:</b> your company's name and what you tell us about it, the campaigns you make and the notes you
          write.
        </li>
        <li>
          <b>From your use:</b> a history of who changed what, so that both sides of a campaign can see how it was
          decided.
        </li>
      </ul>
      <p>
        We use this to run the service, to send the messages it needs (such as the decision on a campaign), and to keep
        it safe. There is no advertising on {productName} itself, and no tracker of another company.
      </p>

      <h2>If you are in an audience</h2>
      <p>
        A publisher may add its customers to an audience. Their e-mail addresses and phone numbers are turned into{" "}
        <span className="whitespace-nowrap">SHA-256</span> hashes while the file is being read: they are in memory for
        that moment only, and no file, database or log keeps them. Everything else in the file is dropped unread.
      </p>
      <p>
        <b>What hashing is.</b> A hash is a fingerprint that is computed from an address. The address cannot be read
        back out of it, so nobody who sees our database sees whom it is about.
      </p>
      <p>
        <b>What hashing is not.</b> It is not encryption, and it hides nobody from those who look for somebody they
        know. <b>These hashes are pseudonymous, not anonymous.</b> They are made without a secret ingredient (a salt),
        because channels can only match them that way. So the same address always gives the same hash: whoever already
        knows an address, or tries many, can compute its hash and compare. Phone numbers are few enough to try them all.
      </p>
      <p>
        We therefore treat every hash as personal data: it is kept apart by publisher, it is never shown, listed or
        offered for download, and it is used for nothing but the publisher's own audiences.
      </p>
      <p>
        Advertisers see an audience's name, description, segment, rounded size and price. An audience of fewer than
        1,000 people cannot be used, and sizes are given in steps, so that nobody can be singled out.
      </p>
      <p>
        The publisher decides what happens with this data, and we act on its behalf. If you want to know whether you are
        in an audience, or want to be removed, ask the store whose customer you are. We erase an identifier from all its
        audiences when it asks us to.
      </p>

      <h2>Cookies</h2>
      <p>Only what the service cannot do without, and nothing that follows you elsewhere:</p>
      <ul>
        <li>your session, which ends when you sign out, after 12 hours without use, or after 7 days;</li>
        <li>a sign-in that is under way, for 10 minutes;</li>
        <li>
          a random number by which we know that you signed in with this browser before, for 400 days: another browser's
          sign-in is told to you by mail. We keep only a hash of it together with your account;
        </li>
        <li>the short message that tells you what a form just did, for a minute;</li>
        <li>that you put the notice of the test mode away, for 7 days.</li>
      </ul>

      <h2>Who receives data</h2>
      <ul>
        <li>The channels a campaign runs on receive the hashes of its audiences, for that campaign.</li>
        <li>A payment provider handles cards. We keep the brand and the last four digits, never the number.</li>
        <li>The other side of a campaign sees your company's name, your decisions and the notes you write to it.</li>
      </ul>
      <p>We sell no personal data.</p>

      <h2>How long</h2>
      <ul>
        <li>Your account: until you ask for its end, and then as long as the law wants business records kept.</li>
        <li>Audiences: until the publisher removes them or a person in them.</li>
        <li>Records of money and of decisions: as long as the law wants them kept. They are never changed.</li>
        <li>Technical logs hold no e-mail addresses and nothing that people typed.</li>
      </ul>

      <h2>Your rights</h2>
      <p>
        You can see and correct your data on your profile, and ask us for a copy, for its erasure, or to stop using it.
        Answer any message we have sent you to reach us. You can also complain to your data protection authority.
      </p>
    </TextPage>
  );
}
