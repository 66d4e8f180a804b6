import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ArrowRight, ChartNoAxesCombined, Check, RadioTower, ShieldCheck, UsersRound } from "lucide-react";
import { plans, planTypes } from "#app/domain/billing/plan.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { productName } from "#app/domain/product.ts";
import { env } from "#app/env.server.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { DevTestingPanel, HowItWorks, Plans, Questions } from "./landing-sections.tsx";
import { SiteFooter, SiteHeader } from "./site-frame.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await findViewer(request, context);
  return {
    email: viewer?.email,
    testMode: env().testMode,
    plans: planTypes.map((type) => ({
      label: plans[type].label,
      price: formatCentsShort(plans[type].monthlyAmount),
      features: plans[type].features,
    })),
  };
}

export const meta: MetaFunction = () => [
  { title: `${productName}: advertise to people who already buy` },
  {
    name: "description",
    content: "An ad network that connects brands with the customers of niche online stores, on every channel.",
  },
];

export default function Landing() {
  const { email, testMode, plans } = useLoaderData<typeof loader>();
  return (
    <>
      <SiteHeader email={email}>
        {/* Links of the router: it takes a browser's own jump for a step back, and scrolls back to where one was. */}
        <nav aria-label="On this page">
          <Link to="#how-it-works">How it works</Link>
          <Link to="#plans">Plans</Link>
          <Link to="#questions">Questions</Link>
        </nav>
      </SiteHeader>
      <main className="shell">
        <section className="hero">
          <h1>Advertise to people who already buy.</h1>
          <p>
            {productName} connects brands with the customers of niche online stores, on every channel, without a single
            e-mail address changing hands.
          </p>
        </section>
        <section className="portal-cards" aria-label="Portals">
          <PortalCard {...cards.advertiser} to={email ? "/advertiser" : "/advertiser/login"} />
          <PortalCard {...cards.publisher} to={email ? "/publisher" : "/publisher/login"} />
        </section>
        <section className="features" aria-label="Features">
          {features.map(({ icon: Icon, title, text }) => (
            <div key={title}>
              <Icon aria-hidden />
              <h2>{title}</h2>
              <p>{text}</p>
            </div>
          ))}
        </section>
        <HowItWorks />
        <Plans plans={plans} />
        <Questions />
      </main>
      <SiteFooter />
      {testMode ? <DevTestingPanel /> : null}
    </>
  );
}

type Card = { portal: "advertiser" | "publisher"; who: string; title: string; points: string[]; button: string };

function PortalCard({ portal, who, title, points, button, to }: Card & { to: string }) {
  return (
    <article className="card portal-card" data-portal={portal}>
      <span className="badge badge-accent">{who}</span>
      <h2>{title}</h2>
      <ul className="ticks">
        {points.map((point) => (
          <li key={point}>
            <Check aria-hidden />
            {point}
          </li>
        ))}
      </ul>
      <Link to={to} className="button button-primary button-large">
        {button}
        <ArrowRight aria-hidden />
      </Link>
    </article>
  );
}

const cards: Record<"advertiser" | "publisher", Card> = {
  advertiser: {
    portal: "advertiser",
    who: "Advertisers",
    title: "Reach real buyers on Meta, Google, TikTok, The Trade Desk and six more.",
    points: ["Launch in six short steps", "Audiences no one else can offer", "Pay only for what is spent"],
    button: "Advertiser Portal",
  },
  publisher: {
    portal: "publisher",
    who: "Publishers",
    title: "Turn your customer list into income, and keep every say over who uses it.",
    points: ["Up to 80% of advertiser spend", "Approve each campaign yourself", "Hashed before it is stored"],
    button: "Publisher Portal",
  },
};

const features = [
  {
    icon: UsersRound,
    title: "Audience management",
    text: "Upload once, refresh on a schedule, see what each audience earns.",
  },
  {
    icon: RadioTower,
    title: "Cross-platform activation",
    text: "Ten channels, one campaign, one report.",
  },
  {
    icon: ShieldCheck,
    title: "Privacy compliance",
    text: "Hashed identifiers and data clean rooms. Raw addresses never touch a disk.",
  },
  {
    icon: ChartNoAxesCombined,
    title: "Real-time analytics",
    text: "Every figure explained, down to the day.",
  },
];
