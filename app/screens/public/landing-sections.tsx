import { Link } from "@remix-run/react";
import { Check, ChevronDown, ChevronUp, X } from "lucide-react";
import { productName } from "#app/domain/product.ts";

export function HowItWorks() {
  return (
    <section className="section" id="how-it-works" aria-labelledby="how-it-works-title">
      <h2 id="how-it-works-title">How it works</h2>
      <p>
        A campaign has two sides. The brand says what it wants to show and to whom; the store whose customers they are
        has the last word.
      </p>
      <div className="section-grid">
        <Walk portal="advertiser" title="For advertisers" steps={advertiserSteps} />
        <Walk portal="publisher" title="For publishers" steps={publisherSteps} />
      </div>
    </section>
  );
}

type WalkStep = { title: string; text: string };

function Walk({ portal, title, steps }: { portal: string; title: string; steps: readonly WalkStep[] }) {
  return (
    <article className="card walk" data-portal={portal}>
      <h3>{title}</h3>
      <ol>
        {steps.map((step) => (
          <li key={step.title}>
            <b>{step.title}</b>
            {step.text}
          </li>
        ))}
      </ol>
    </article>
  );
}

const advertiserSteps: readonly WalkStep[] = [
  { title: "Sign in with Google", text: "Tell us your company and what you sell. It takes a minute." },
  { title: "Build the campaign", text: "Objective, format, audiences, channels and budget, saved at every step." },
  { title: "Launch", text: "Each store whose audience you chose reviews it, typically within 24 hours." },
  { title: "Steer", text: "Pause, change and compare. Spend never goes over the budget you set." },
];

const publisherSteps: readonly WalkStep[] = [
  { title: "Bring an audience", text: "At least 1,000 customers. Addresses are hashed as the file is read." },
  { title: "Set its price", text: "A name, a segment and a price per thousand impressions. Members are never shown." },
  { title: "Review", text: "See the creative, the budget and the period, then approve or reject with a note." },
  { title: "Earn", text: "A share of what is spent on your audience, 70% unless agreed otherwise and up to 80%." },
];

export type PlanCard = { label: string; price: string; features: readonly string[] };

export function Plans({ plans }: { plans: readonly PlanCard[] }) {
  return (
    <section className="section" id="plans" aria-labelledby="plans-title">
      <h2 id="plans-title">Plans</h2>
      <p>Publishers choose a monthly plan. Advertisers need none: they pay for what their campaigns spend.</p>
      <div className="section-grid section-grid-3" data-portal="publisher">
        {plans.map((plan) => (
          <article className="card plan" key={plan.label}>
            <h3>{plan.label}</h3>
            <p className="plan-price">
              <b>{plan.price}</b> a month
            </p>
            <ul className="ticks">
              {plan.features.map((feature) => (
                <li key={feature}>
                  <Check aria-hidden />
                  {feature}
                </li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </section>
  );
}

export function Questions() {
  return (
    <section className="section" id="questions" aria-labelledby="questions-title">
      <h2 id="questions-title">Questions</h2>
      <div className="questions">
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>
              {question}
              <ChevronDown aria-hidden />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

const questions = [
  {
    question: "Do advertisers ever see who is in an audience?",
    answer:
      "No. They see its name, description, segment, a rounded size and its price. Members are kept as SHA-256 hashes, and no screen or call hands them out.",
  },
  {
    question: "Who decides whether a campaign runs?",
    answer:
      "Every publisher whose audience it uses, each for its own part. A campaign that some reject runs on those that said yes, and a change after approval is asked again.",
  },
  {
    question: "How long does a review take?",
    answer: "Campaigns are typically approved within 24 hours. You get an e-mail when a publisher has decided.",
  },
  {
    question: "Which channels are there?",
    answer:
      "Four demand-side platforms (DV360, Amazon DSP, The Trade Desk, Adobe Advertising) and six walled gardens (Meta, Google, TikTok, YouTube, Pinterest, Snapchat).",
  },
  {
    question: "How large must an audience be?",
    answer: "At least 1,000 distinct records. A smaller one can be saved and grows until it may be used.",
  },
  {
    question: "What does a publisher earn?",
    answer:
      "A percentage of what advertisers spend on its audiences: 70% unless agreed otherwise, up to 80%. The rest is the platform fee.",
  },
];

/** Closed it leaves a small tab, so that it can come back. */
export function DevTestingPanel() {
  return (
    <aside aria-label="Dev Testing Panel">
      <details className="dev-panel" open>
        <summary>
          Dev Testing Panel
          <X aria-hidden />
          <ChevronUp aria-hidden />
        </summary>
        <div>
          <p>Open a portal of {productName} with demo data, no sign-in.</p>
          <div className="actions">
            <Link to="/advertiser/test-mode" className="button">
              Advertiser
            </Link>
            <Link to="/publisher/test-mode" className="button">
              Publisher
            </Link>
          </div>
        </div>
      </details>
    </aside>
  );
}
