import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { findInvoiceOfPayment } from "#app/domain/billing/wallet/describe-top-up.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { formatCents } from "#app/domain/money.ts";
import { getPaymentToConfirm, resolvePaymentConfirmation } from "#app/domain/payments/sandbox/sandbox-pages.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

/** The sandbox's page in place of a bank's payment confirmation. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const [ctx, id] = [visitorCtx(context), params.payment ?? ""];
  const { card, ...payment } = await orThrow404(getPaymentToConfirm(ctx, id));
  return { ...payment, invoice: await findInvoiceOfPayment(ctx, { paymentId: id }), card: methodName(card) };
}

const answerSchema = z.object({ answer: z.enum(["confirm", "refuse"], "Confirm or decline the payment") });

export async function action({ request, params, context }: ActionFunctionArgs) {
  const id = params.payment ?? "";
  return handleForm(request, answerSchema, async ({ answer }) =>
    redirect(await resolvePaymentConfirmation(visitorCtx(context), { id, confirmed: answer === "confirm" })),
  );
}

export default function SandboxConfirm() {
  const { amount, description, invoice, card, isOpen, returnPath } = useLoaderData<typeof loader>();
  return (
    <MessagePage title={isOpen ? "Confirm this payment" : "This payment is complete"}>
      <p>
        {isOpen
          ? "Your bank would ask you to confirm this payment here."
          : "This payment was already confirmed or declined."}{" "}
        {description}
        {invoice ? (
          <>
            {" "}
            <span className="whitespace-nowrap">{invoice}</span>
          </>
        ) : null}
        , <span className="whitespace-nowrap">{card}</span>: <strong>{formatCents(amount)}</strong>
      </p>
      {isOpen ? (
        <Form method="post" className="actions mt-6 justify-center">
          <Button name="answer" value="refuse">
            Decline
          </Button>
          <Button variant="primary" name="answer" value="confirm">
            Confirm payment
          </Button>
        </Form>
      ) : (
        <p className="mt-6">
          <a className="button" href={returnPath}>
            Go back
          </a>
        </p>
      )}
    </MessagePage>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Confirm a payment") }];
