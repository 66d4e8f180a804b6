import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import { sandboxCards, sandboxTokens } from "#app/domain/billing/payments/sandbox-cards.ts";
import { chooseCard, getCardPage } from "#app/domain/billing/payments/sandbox-pages.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { submitForm } from "#app/web/form.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";

/** The sandbox's page for adding a card, in the place of a payment provider's: cards are chosen, and no number is typed. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  return orNotFoundPage(getCardPage(visitorCtx(context), params.page ?? ""));
}

const choiceSchema = z.object({ card: z.enum(sandboxTokens, "Choose one of the cards") });

export async function action({ request, params, context }: ActionFunctionArgs) {
  return submitForm(request, choiceSchema, async ({ card }) =>
    redirect(await chooseCard(visitorCtx(context), { id: params.page ?? "", card })),
  );
}

export default function SandboxCards() {
  const { cancelPath } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <Panel title="Choose a test card">
      <p>
        This stands in for the payment provider while none is configured. No money moves, and no card number is asked
        for.
      </p>
      <ErrorSummary errors={summaryOf(refused?.error)} />
      <form method="post" className="my-6 grid gap-2">
        {sandboxTokens.map((token) => (
          <button
            key={token}
            type="submit"
            name="card"
            value={token}
            className="grid w-full cursor-pointer gap-x-3 gap-y-1 rounded-lg border border-line p-3 text-left hover:bg-accent-soft"
          >
            <span className="flex flex-wrap justify-between gap-x-3">
              <b>{methodName(sandboxCards[token])}</b>
              <span className="text-ink">{sandboxCards[token].label}</span>
            </span>
            <span className="text-muted">{sandboxCards[token].hint}</span>
          </button>
        ))}
      </form>
      <a className="button button-ghost" href={cancelPath}>
        Cancel
      </a>
    </Panel>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Choose a test card") }];
