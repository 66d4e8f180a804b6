import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { Check } from "lucide-react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { DomainError } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { safePath } from "#app/web/redirects.ts";
import { startSignIn } from "#app/web/sign-in.server.ts";
import { GoogleForm } from "./google-form.tsx";
import { HomeLink } from "./site-frame.tsx";

/** One module at `/advertiser/login` and `/publisher/login`. `redirectTo` is the page first asked for. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { portal, redirectTo } = asked(request);
  if (await findViewer(request, context)) throw redirect(redirectTo ?? `/${portal}/dashboard`);
  return { portal };
}

export async function action({ request, context }: ActionFunctionArgs) {
  try {
    const { url, headers } = await startSignIn(request, { redirectTo: asked(request).redirectTo, context });
    return redirect(url, { headers });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    const headers = { "Retry-After": String(error.retryAfterSeconds ?? 60) };
    return data({ message: error.message }, { status: 429, headers });
  }
}

export default function Login() {
  const { portal } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { title, intro, promise, promises } = words[portal];
  return (
    <div className="sign-in" data-portal={portal}>
      <main id="main" className="sign-in-main">
        <HomeLink />
        <div className="stack">
          <header>
            <h1>{title}</h1>
            <p>{intro}</p>
          </header>
          {refused ? <Notice tone="bad">{refused.message}</Notice> : null}
          <GoogleForm />
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
        </div>
      </main>
      <aside className="sign-in-aside">
        <div>
          <h2>{promise}</h2>
          <ul className="ticks">
            {promises.map(([head, text]) => (
              <li key={head}>
                <Check aria-hidden />
                <span>
                  <b>{head}</b>
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}

const words: Record<AccountType, { title: string; intro: string; promise: string; promises: [string, string][] }> = {
  advertiser: {
    title: "Advertiser sign-in",
    intro: "Launch campaigns on the audiences of niche ecommerce retailers.",
    promise: "Reach people who already buy.",
    promises: [
      ["Autonomous campaign creation", "From an idea to a launch in six steps."],
      ["Advanced targeting", "Geolocation, demographic and behavioural targeting."],
      ["Real-time analytics", "Spend, clicks and return as they happen."],
      ["Pay-per-spend billing", "You pay for what was delivered."],
      ["A premium network", "Verified retailers with audiences of their own."],
    ],
  },
  publisher: {
    title: "Publisher sign-in",
    intro: "The Ecommerce Portal: earn with the audiences you have.",
    promise: "Turn your audiences into income.",
    promises: [
      ["Audience upload and monetization", "Hashed identifiers, your price, your say."],
      ["Campaign approval workflow", "Nothing runs on your audiences without your yes."],
      ["Revenue sharing and analytics", "Up to 80% of advertiser spend, with transparent payouts."],
      ["Monthly subscription plans", "From five campaigns to as many as you like."],
    ],
  },
};

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: pageTitle(words[found?.portal ?? "advertiser"].title) },
];

function asked(request: Request): { portal: AccountType; redirectTo: string | undefined } {
  const { pathname, searchParams } = new URL(request.url);
  return {
    portal: /^\/publisher\//i.test(pathname) ? "publisher" : "advertiser",
    redirectTo: safePath(searchParams.get("redirectTo")),
  };
}
