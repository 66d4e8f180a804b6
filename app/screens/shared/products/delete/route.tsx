import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { deleteProduct } from "#app/domain/catalog/delete-products.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listProductBlockingCampaigns } from "#app/domain/catalog/product-use.server.ts";
import { deleteIdempotently } from "#app/domain/idempotency/delete-idempotently.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { BlockingCampaigns } from "#app/screens/shared/campaigns/blocking-campaigns.tsx";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const { id, name } = await orThrow404(getProduct(ctx, requireIdParam<ProductId>(params.id)));
  return { base, id, name, campaigns: await listProductBlockingCampaigns(ctx, id) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<ProductId>(params.id);
  return handleForm(request, z.object({}), async () => {
    const { name } = await deleteIdempotently(ctx, { id, schema: z.object({ name: z.string() }) }, (once) =>
      deleteProduct(once, { id }),
    );
    return redirectWithFlash(portalHref(base, "/products"), { tone: "success", message: `“${name}” deleted` });
  });
}

export default function DeleteProduct() {
  const { base, id, name, campaigns } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const page = portalHref(base, `/products/${id}`);
  const possible = campaigns.length === 0;
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: page, label: name },
        ]}
        here="Delete"
      />
      <PageHeader title={`Delete “${name}”?`} />
      <ConfirmAction
        act={possible ? { label: "Delete product", icon: "trash" } : null}
        back={{ to: page, label: possible ? "Keep product" : "Back to the product" }}
        errors={possible ? toSummaryErrors(rejected?.error) : []}
      >
        {possible ? (
          <p>This removes the product from your catalog and from campaign drafts. You can't undo this.</p>
        ) : (
          <>
            <p>You can't delete this product while these approved or pending campaigns use it:</p>
            <BlockingCampaigns base={base} campaigns={campaigns} />
          </>
        )}
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Delete ${data?.name ?? "product"}`) },
];
