import type { ReactNode } from "react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import type { landingCopy } from "./landing-copy.server.ts";

type Copy = typeof landingCopy;

/** The channels that campaigns run on, each with its mark. */
export function Channels({ channels }: Pick<Copy, "channels">) {
  return (
    <section className="channel-strip" aria-labelledby="channels-title">
      <h2 id="channels-title">One campaign runs on</h2>
      <ul>
        {channels.map(({ code, label }) => (
          <li key={code}>
            <BrandMark brand={code} />
            {label}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One side of the market: what it does here, step by step, beside a screenshot of where it does it. */
export function PartySection({
  id,
  portal,
  title,
  intro,
  steps,
  to,
  button,
  children,
}: {
  id: string;
  portal: AccountType;
  title: string;
  intro: string;
  steps: readonly { title: string; text: string }[];
  to: string;
  button: string;
  children: ReactNode;
}) {
  return (
    <section className="section party" id={id} data-portal={portal} aria-labelledby={`${id}-title`}>
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{intro}</p>
        <ol className="walk">
          {steps.map((step) => (
            <li key={step.title}>
              <b>{step.title}</b>
              {step.text}
            </li>
          ))}
        </ol>
        <Link to={to} className="button button-large">
          {button}
          <Icon name="arrow-right" />
        </Link>
      </div>
      {children}
    </section>
  );
}

export const advertiserSteps = [
  { title: "Sign in with Google", text: "Tell us about your company and what you sell. It takes a minute." },
  {
    title: "Build the campaign",
    text: "Set the objective, format, audiences, channels and budget. Every step is saved.",
  },
  { title: "Launch", text: "Each store whose audience you chose reviews it, typically within 24 hours." },
  { title: "Manage", text: "Pause, edit and compare campaigns. Spend never exceeds your budget." },
] as const;

type PlanCard = Copy["plans"][number] & { to: string | undefined };

export function Plans({ plans, withoutPlan }: { plans: readonly PlanCard[]; withoutPlan: string }) {
  return (
    <section className="section" id="plans" aria-labelledby="plans-title">
      <h2 id="plans-title">Plans</h2>
      <p>
        Publishers choose a monthly plan. {withoutPlan} Advertisers don't need one: they pay only for what their
        campaigns spend.
      </p>
      <div className="section-grid section-grid-3" data-portal="publisher">
        {plans.map(({ type, label, price, features, to }) => (
          <article className="card plan" key={type}>
            <h3>{label}</h3>
            <p className="plan-price">
              <b>{price}</b>/month
            </p>
            <ul className="check-list">
              {features.map((feature) => (
                <li key={feature}>
                  <Icon name="check" />
                  {feature}
                </li>
              ))}
            </ul>
            {to ? (
              <Link to={to} className="button button-primary button-large">
                Choose {label}
              </Link>
            ) : null}
          </article>
        ))}
      </div>
    </section>
  );
}

export function Faq({ questions }: Pick<Copy, "questions">) {
  return (
    <section className="section" id="questions" aria-labelledby="questions-title">
      <h2 id="questions-title">Questions</h2>
      <div className="faq">
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>
              {question}
              <Icon name="chevron-down" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
