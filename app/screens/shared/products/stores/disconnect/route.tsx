import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { disconnectStore } from "#app/domain/catalog/stores/disconnect-store.server.ts";
import { getStore } from "#app/domain/catalog/stores/list-stores.server.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmAction } from "#app/screens/shared/forms/confirm-action.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const { id, name } = await orThrow404(getStore(ctx, requireIdParam<StoreId>(params.id)));
  return { base, id, name };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<StoreId>(params.id);
  const { name } = await orThrow404(getStore(ctx, id));
  return handleForm(request, z.object({}), async () => {
    await disconnectStore(ctx, { id });
    const message = `${name} disconnected. Its credentials were deleted.`;
    return redirectWithFlash(portalHref(base, "/products/upload"), { tone: "success", message });
  });
}

export default function DisconnectStore() {
  const { base, id, name } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const page = portalHref(base, `/products/stores/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: portalHref(base, "/products/upload"), label: "Upload Products" },
          { to: page, label: name },
        ]}
        here="Disconnect store"
      />
      <PageHeader title={`Disconnect ${name}?`} />
      <ConfirmAction
        act={{ label: "Disconnect store", icon: "unplug" }}
        back={{ to: page, label: "Keep connected" }}
        errors={toSummaryErrors(rejected?.error)}
      >
        <p>
          This deletes the credentials and stops syncing. Products stay in your catalog. To sync again, reconnect the
          store with its key.
        </p>
      </ConfirmAction>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Disconnect ${data?.name ?? "a store"}`) },
];
