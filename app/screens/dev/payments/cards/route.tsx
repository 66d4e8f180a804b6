import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { sandboxCards, sandboxTokens } from "#app/domain/payments/sandbox/sandbox-cards.ts";
import { chooseCard, getCardPage } from "#app/domain/payments/sandbox/sandbox-pages.server.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

/**
 * The sandbox's page for adding a card, in place of a payment provider's: cards are selected, and no number is typed.
 */
export async function loader({ params, context }: LoaderFunctionArgs) {
  return orThrow404(getCardPage(visitorCtx(context), params.page ?? ""));
}

const choiceSchema = z.object({ card: z.enum(sandboxTokens, "Choose a card") });

export async function action({ request, params, context }: ActionFunctionArgs) {
  return handleForm(request, choiceSchema, async ({ card }) =>
    redirect(await chooseCard(visitorCtx(context), { id: params.page ?? "", card })),
  );
}

export default function SandboxCards() {
  const { cancelPath } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  return (
    <MessagePage title="Choose a test card">
      <p>
        This page replaces the payment provider while none is configured. No money moves, and no card number is needed.
      </p>
      <ErrorSummary errors={toSummaryErrors(rejected?.error)} />
      <Form method="post" className="my-6 grid gap-2">
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
      </Form>
      <a className="button button-ghost" href={cancelPath}>
        Cancel
      </a>
    </MessagePage>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Choose a test card") }];
