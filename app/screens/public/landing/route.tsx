import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { appName } from "#app/domain/branding.ts";
import { env } from "#app/env.server.ts";
import { registrationHref } from "#app/portal/after-sign-in.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { publicPageMeta } from "#app/screens/public/public-page-meta.ts";
import { Screenshot } from "#app/screens/public/screenshots/screenshot.tsx";
import { SiteFooter } from "#app/screens/public/site-layout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { staticPage } from "#app/web/static-page.ts";
import { DevTestingPanel } from "./dev-testing-panel.tsx";
import { MoneySection, PrivacySection } from "./flows.tsx";
import { landingCopy } from "./landing-copy.server.ts";
import { LandingHeader } from "./landing-header.tsx";
import { landingLinks } from "./landing-links.ts";
import { advertiserSteps, Channels, Faq, PartySection, Plans } from "./landing-sections.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await findViewer(request, context);
  const { plan } = landingLinks(viewer?.userType);
  return {
    email: viewer?.email,
    userType: viewer?.userType,
    testMode: env().testMode,
    publicUrl: env().publicUrl,
    ...landingCopy,
    plans: landingCopy.plans.map((card) => ({ ...card, to: plan(card.type) })),
  };
}

export const handle = staticPage;

export const meta: MetaFunction<typeof loader> = ({ data: found }) =>
  publicPageMeta({
    publicUrl: found?.publicUrl,
    path: "/",
    title: `${appName}: advertise to people who already buy`,
    description: "An ad network that connects brands with the customers of niche online stores, on every channel.",
  });

export default function Landing() {
  const { email, userType, testMode, ...copy } = useLoaderData<typeof loader>();
  const links = landingLinks(userType);
  return (
    <>
      <LandingHeader email={email} userType={userType} />
      <main id="main" className="site-container">
        <section className="hero">
          <h1>Advertise to people who already buy.</h1>
          <p>
            {appName} connects brands with the customers of niche online stores, on every channel, without a single
            email address changing hands.
          </p>
          {userType === "pending" ? <NextStep /> : null}
          <Screenshot
            first
            name="dashboard"
            alt="The advertiser's dashboard with demo data: active campaigns, spend, impressions, clicks, CTR and ROAS of the last 30 days, each with its trend, and a chart of the spend by day."
          />
        </section>
        <Channels channels={copy.channels} />
        <section className="portal-cards" id="get-started" aria-label="Portals">
          <PortalCard {...advertiserCard} title={copy.advertiserTitle} to={links.card("advertiser")} />
          <PortalCard {...publisherCard} points={copy.publisherPoints} to={links.card("publisher")} />
        </section>
        {testMode ? <DevTestingPanel /> : null}
        <section className="features" aria-label="Features">
          {features.map(({ icon, title, text }) => (
            <div key={title}>
              <Icon name={icon} />
              <h2>{title}</h2>
              <p>{text ?? copy.activation}</p>
            </div>
          ))}
        </section>
        <PartySection
          id="advertisers"
          portal="advertiser"
          title="For advertisers"
          intro="Plan, launch and compare campaigns on audiences that only their stores can offer."
          steps={advertiserSteps}
          to={links.card("advertiser")}
          button="Start a campaign"
        >
          <Screenshot
            name="analytics"
            alt="Analytics with demo data: spend, revenue, ROAS, CPM, impressions, clicks, CTR and conversions against the previous period, the spend by day, and the spend by channel."
          />
        </PartySection>
        <PartySection
          id="publishers"
          portal="publisher"
          title="For publishers"
          intro="Nothing runs on your audiences before you have seen it and approved it."
          steps={copy.publisherSteps}
          to={links.card("publisher")}
          button="Offer an audience"
        >
          <Screenshot
            name="approval"
            alt="Campaign approval with demo data: each campaign with its creative, advertiser, budget, duration, objective and audiences, and a button to review its details."
          />
        </PartySection>
        <MoneySection money={copy.money} />
        <PrivacySection privacy={copy.privacy} />
        <Plans plans={copy.plans} withoutPlan={copy.withoutPlan} />
        <Faq questions={copy.questions} />
      </main>
      <SiteFooter />
    </>
  );
}

/** For a person who signed in but has no account yet. */
function NextStep() {
  return (
    <section className="card card-body landing-next" aria-labelledby="next">
      <div>
        <h2 id="next">One step left: register your company</h2>
        <p className="text-muted">You are signed in. Choose what you want to do; it takes a minute.</p>
      </div>
      <div className="actions">
        <LinkButton to={registrationHref("advertiser")} variant="primary">
          Register as an advertiser
        </LinkButton>
        <LinkButton to={registrationHref("publisher")}>Register as a publisher</LinkButton>
      </div>
    </section>
  );
}

type Card = { portal: AccountType; who: string; title: string; points: readonly string[]; button: string };

function PortalCard({ portal, who, title, points, button, to }: Card & { to: string }) {
  return (
    <article className="card portal-card" data-portal={portal}>
      <span className="badge badge-accent">{who}</span>
      <h2>{title}</h2>
      <ul className="check-list">
        {points.map((point) => (
          <li key={point}>
            <Icon name="check" />
            {point}
          </li>
        ))}
      </ul>
      <Link to={to} className="button button-primary button-large">
        {button}
        <Icon name="arrow-right" />
      </Link>
    </article>
  );
}

const advertiserCard = {
  portal: "advertiser",
  who: "Advertisers",
  points: ["Launch in six short steps", "Audiences no one else can offer", "Pay only for what your campaigns spend"],
  button: "Advertiser Portal",
} as const;

const publisherCard = {
  portal: "publisher",
  who: "Publishers",
  title: "Turn your customer list into income, and stay in control of who uses it.",
  button: "Publisher Portal",
} as const;

/** Cross-platform activation counts the channels, so its text comes with the data. */
const features = [
  {
    icon: "users-round",
    title: "Audience management",
    text: "Upload once, refresh on a schedule and see what each audience earns.",
  },
  { icon: "radio-tower", title: "Cross-platform activation", text: undefined },
  {
    icon: "shield-check",
    title: "Privacy compliance",
    text: "Hashed identifiers and data clean rooms. Raw email addresses are never written to disk.",
  },
  { icon: "chart-no-axes-combined", title: "Real-time analytics", text: "Every metric, broken down by day." },
] as const;
