import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { answerPayment, getAskedPayment } from "#app/domain/billing/payments/sandbox-pages.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { Button } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { submitForm } from "#app/web/form.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";

/** The sandbox's page in the place of a bank's, which asks whether a payment is meant. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  return orNotFoundPage(getAskedPayment(visitorCtx(context), params.payment ?? ""));
}

const answerSchema = z.object({ answer: z.enum(["confirm", "refuse"], "Confirm the payment, or refuse it") });

export async function action({ request, params, context }: ActionFunctionArgs) {
  const id = params.payment ?? "";
  return submitForm(request, answerSchema, async ({ answer }) =>
    redirect(await answerPayment(visitorCtx(context), { id, confirmed: answer === "confirm" })),
  );
}

export default function SandboxConfirm() {
  const { amount, description, isOpen, returnPath } = useLoaderData<typeof loader>();
  return (
    <Panel title={isOpen ? "Confirm this payment" : "This payment is over"}>
      <p>
        {isOpen ? "A bank would ask you here. " : "It was answered already. "}
        {description}: <strong>{formatCents(amount)}</strong>
      </p>
      {isOpen ? (
        <form method="post" className="actions mt-6 justify-center">
          <Button variant="primary" name="answer" value="confirm">
            Confirm payment
          </Button>
          <Button name="answer" value="refuse">
            Refuse
          </Button>
        </form>
      ) : (
        <p className="mt-6">
          <a className="button" href={returnPath}>
            Go back
          </a>
        </p>
      )}
    </Panel>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Confirm a payment") }];
