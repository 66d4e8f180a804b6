import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import {
  getMethodName,
  getPaymentMethod,
  listUsableMethods,
} from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { billingQuery } from "#app/screens/shared/billing/overview/billing-search.ts";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const method = await orThrow404(getPaymentMethod(ctx, requireIdParam<PaymentMethodId>(params.id)));
  // The default is listed first, then the newest.
  const next = (await listUsableMethods(ctx)).find(({ id }) => id !== method.id);
  return { base, name: methodName(method), isDefault: method.isDefault, next: next && methodName(next) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<PaymentMethodId>(params.id);
  return handleForm(request, z.object({}), async () => {
    const message = `${await getMethodName(ctx, id)} removed`;
    try {
      await removePaymentMethod(ctx, { id });
    } catch (error) {
      // An earlier submission of the form removed the method.
      if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    }
    return redirectWithFlash(portalHref(base, `/billing${billingQuery({ tab: "methods" })}`), {
      tone: "success",
      message,
    });
  });
}

export default function RemovePaymentMethod() {
  const { base, name, isDefault, next } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const list = portalHref(base, `/billing${billingQuery({ tab: "methods" })}`);
  return (
    <>
      <Breadcrumbs trail={[{ to: list, label: "Payment Methods" }]} here="Remove payment method" />
      <PageHeader title={`Remove ${name}?`} />
      <ConfirmAction
        act={{ label: "Remove payment method", icon: "trash" }}
        back={{ to: list, label: "Keep payment method" }}
        errors={toSummaryErrors(rejected?.error)}
      >
        <p>
          You can no longer pay with it. {isDefault && next ? `${next} becomes the default. ` : ""}
          {isDefault && !next ? "Nothing else can be charged until you add a payment method. " : ""}
          Past payments are not affected.
        </p>
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Remove ${data?.name ?? "a payment method"}`) },
];
