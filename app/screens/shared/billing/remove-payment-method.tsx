import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { z } from "zod";
import { getPaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { billingQuery } from "./billing-search.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const method = await orNotFoundPage(getPaymentMethod(ctx, idInAddress<PaymentMethodId>(params.id)));
  return { base, name: methodName(method), isDefault: method.isDefault };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const id = idInAddress<PaymentMethodId>(params.id);
  const method = await orNotFoundPage(getPaymentMethod(ctx, id));
  return submitForm(request, z.object({}), async () => {
    await removePaymentMethod(ctx, { id });
    const message = `${methodName(method)} is removed.`;
    return redirectWithFlash(portalHref(base, `/billing${billingQuery({ tab: "methods" })}`), {
      tone: "success",
      message,
    });
  });
}

export default function RemovePaymentMethod() {
  const { base, name, isDefault } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const list = portalHref(base, `/billing${billingQuery({ tab: "methods" })}`);
  return (
    <>
      <Breadcrumbs trail={[{ to: list, label: "Payment Methods" }]} here="Remove" />
      <PageHeader title={`Remove ${name}?`} />
      <AskFirst
        act={{ label: "Remove", icon: Trash2 }}
        back={{ to: list, label: "Keep it" }}
        errors={summaryOf(refused?.error)}
      >
        <p>
          Nothing can be paid with it any more.{" "}
          {isDefault ? "The one that was added last becomes the default, if there is another. " : ""}Past payments stay
          as they are.
        </p>
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Remove ${data?.name ?? "a payment method"}`) },
];
