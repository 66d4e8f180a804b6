import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { Download, Package, Plus, SearchX } from "lucide-react";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { loadProducts } from "./load-products.server.ts";
import { productColumns } from "./product-columns.tsx";
import { CategoryLinks, ProductFilters } from "./product-filters.tsx";
import { productQuery } from "./product-search.ts";
import { ProductTabs } from "./product-tabs.tsx";
import { Selection, selection } from "./selection.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return { base, ...(await loadProducts(ctx, request)) };
}

export default function Products() {
  const { base, all, matching } = useLoaderData<typeof loader>();
  const add = (
    <LinkButton to={portalHref(base, "/products/create")} variant="primary" icon={Plus}>
      Add Product
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Product Catalog"
        subtitle="What you sell, and what campaigns can show"
        actions={
          <>
            {all > 0 ? (
              <a className="button" href={portalHref(base, "/products/export.csv")} download>
                <Download aria-hidden />
                Export CSV
              </a>
            ) : null}
            {add}
          </>
        }
      />
      <ProductTabs base={base} current="list" />
      {all === 0 ? (
        <Card>
          <EmptyState icon={Package} title="No products yet" action={add}>
            Add them by hand, or upload a file of them. Campaigns can show products next to their creatives.
          </EmptyState>
        </Card>
      ) : (
        <Card flush>
          <List key={matching} />
        </Card>
      )}
      <Outlet />
    </>
  );
}

function List() {
  const { base, search, page, matching, all, categories } = useLoaderData<typeof loader>();
  const list = (changes: Parameters<typeof productQuery>[1]) => productQuery(search, changes) || "?";
  const pageHref = (cursor: string | null) => (cursor ? list({ cursor }) : undefined);
  const imageHref = (id: string) => portalHref(base, `/products/${id}/image`);
  const viewHref = (id: string) =>
    portalHref(base, `/products/${id}${productQuery(search, { cursor: search.cursor })}`);
  return (
    <>
      <CategoryLinks search={search} categories={categories} all={all} />
      <ProductFilters key={productQuery(search)} search={search} categories={categories} />
      {page.rows.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No products found"
          action={<LinkButton to={portalHref(base, "/products")}>Clear search and filters</LinkButton>}
        >
          No products match the current filter
        </EmptyState>
      ) : (
        <Selection to={portalHref(base, "/products/selected")} search={search} matching={matching}>
          <DataTable
            caption="Products"
            columns={productColumns({ sort: search.sort, sortHref: (sort) => list({ sort }), viewHref, imageHref })}
            rows={page.rows}
            select={{ ...selection, label: ({ name }) => `Tick ${name}` }}
            actions={({ id, name }) => (
              <>
                <IconLink to={viewHref(id)} label="View" of={name} icon="view" />
                <IconLink to={portalHref(base, `/products/${id}/edit`)} label="Edit" of={name} icon="edit" />
                <IconLink to={portalHref(base, `/products/${id}/delete`)} label="Delete" of={name} icon="remove" />
              </>
            )}
          />
          <Pagination
            shown={`Showing ${formatCount(page.rows.length)} of ${formatCount(matching)}`}
            previous={pageHref(page.previousCursor)}
            next={pageHref(page.nextCursor)}
          />
        </Selection>
      )}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Product Catalog") }];
