import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { z } from "zod";
import { deleteProduct } from "#app/domain/catalog/delete-products.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listUsingCampaigns } from "#app/domain/catalog/product-use.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { HinderingCampaigns } from "#app/screens/shared/hindering-campaigns.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { id, name } = await orNotFoundPage(getProduct(ctx, idInAddress<ProductId>(params.id)));
  return { base, id, name, campaigns: await listUsingCampaigns(ctx, id) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const id = idInAddress<ProductId>(params.id);
  const { name } = await orNotFoundPage(getProduct(ctx, id));
  return submitForm(request, z.object({}), async () => {
    await deleteProduct(ctx, { id });
    return redirectWithFlash(portalHref(base, "/products"), { tone: "success", message: `“${name}” is deleted` });
  });
}

export default function DeleteProduct() {
  const { base, id, name, campaigns } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
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
      <AskFirst
        act={possible ? { label: "Delete product", icon: Trash2 } : null}
        back={{ to: page, label: possible ? "Keep it" : "Back to the product" }}
        errors={possible ? summaryOf(refused?.error) : []}
      >
        {possible ? (
          <p>It leaves your catalog and the drafts of campaigns that have it. This cannot be undone.</p>
        ) : (
          <>
            <p>
              It cannot be deleted while a campaign shows it that is approved and not completed, or that waits for a
              decision:
            </p>
            <HinderingCampaigns base={base} campaigns={campaigns} />
          </>
        )}
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Delete ${data?.name ?? "product"}`) },
];
