import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Unplug } from "lucide-react";
import { z } from "zod";
import { disconnectStore } from "#app/domain/catalog/stores/disconnect-store.server.ts";
import { getStore } from "#app/domain/catalog/stores/list-stores.server.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { id, name } = await orNotFoundPage(getStore(ctx, idInAddress<StoreId>(params.id)));
  return { base, id, name };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const id = idInAddress<StoreId>(params.id);
  const { name } = await orNotFoundPage(getStore(ctx, id));
  return submitForm(request, z.object({}), async () => {
    await disconnectStore(ctx, { id });
    const message = `${name} is disconnected. Its credentials are forgotten.`;
    return redirectWithFlash(portalHref(base, "/products/upload"), { tone: "success", message });
  });
}

export default function DisconnectStore() {
  const { base, id, name } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const page = portalHref(base, `/products/stores/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: portalHref(base, "/products/upload"), label: "Upload Products" },
          { to: page, label: name },
        ]}
        here="Disconnect"
      />
      <PageHeader title={`Disconnect ${name}?`} />
      <AskFirst
        act={{ label: "Disconnect", icon: Unplug }}
        back={{ to: page, label: "Keep it" }}
        errors={summaryOf(refused?.error)}
      >
        <p>
          Its credentials are forgotten and nothing is fetched any more. The products stay in your catalog. To fetch
          them again, connect the shop anew with its key.
        </p>
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Disconnect ${data?.name ?? "a shop"}`) },
];
