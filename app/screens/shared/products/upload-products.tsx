import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listImports } from "#app/domain/catalog/imports/list-imports.server.ts";
import { listStores } from "#app/domain/catalog/stores/list-stores.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { PageHeader } from "#app/ui/layout.tsx";
import { CatalogFileForm } from "./catalog-file-form.tsx";
import { FieldList } from "./field-list.tsx";
import { ImportList } from "./import-list.tsx";
import { ProductTabs } from "./product-tabs.tsx";
import { receiveFile } from "./receive-file.server.ts";
import { StoreCards } from "./store-cards.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const [imports, stores] = await Promise.all([listImports(ctx), listStores(ctx)]);
  return { base, imports, stores, formKey: crypto.randomUUID() };
}

/** Each file has a page of its own, which says how it went, also when it could not be taken. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return redirect(portalHref(base, `/products/imports/${await receiveFile(ctx, request)}`));
}

export default function UploadProducts() {
  const { base, imports, stores, formKey } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Product Catalog" subtitle="What you sell, and what campaigns can show" />
      <ProductTabs base={base} current="upload" />
      <div className="split">
        <div className="stack">
          <CatalogFileForm
            key={formKey}
            formKey={formKey}
            to={portalHref(base, "/products/upload")}
            templateHref={portalHref(base, "/products/template.csv")}
          />
          <ImportList imports={imports} importHref={(id) => portalHref(base, `/products/imports/${id}`)} />
        </div>
        <div className="stack">
          <StoreCards base={base} stores={stores} />
          <FieldList />
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Upload Products") }];
