import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { productColumns } from "#app/screens/shared/products/product-columns.tsx";
import { productQuery } from "#app/screens/shared/products/product-search.ts";
import { ProductTabs } from "#app/screens/shared/products/product-tabs.tsx";
import { ListTools } from "#app/screens/shared/views/list-tools.tsx";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { chooseColumns } from "#app/ui/table/choose-columns.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { loadProducts } from "./load-products.server.ts";
import { CategoryLinks, ProductFilters } from "./product-filters.tsx";
import { SelectableProducts, selectionForm } from "./selection.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const [products, views] = await Promise.all([
    loadProducts(ctx, request),
    listSavedViews(ctx, { userId: viewer.id, list: "products" }),
  ]);
  return { base, views, ...products };
}

export default function Products() {
  const { base, all } = useLoaderData<typeof loader>();
  const add = (
    <LinkButton to={portalHref(base, "/products/create")} variant="primary" icon="plus">
      Add Product
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Product Catalog"
        subtitle="The products you sell and can feature in campaigns"
        actions={
          <>
            {all > 0 ? (
              <a className="button" href={portalHref(base, "/products/export.csv")}>
                <Icon name="download" />
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
          <EmptyState icon="package" title="No products yet" action={add}>
            Add products one by one or upload a file. Campaigns can feature products next to their creatives.
          </EmptyState>
        </Card>
      ) : (
        <Card flush>
          <List />
        </Card>
      )}
      <Outlet />
    </>
  );
}

function List() {
  const { base, views, search, page, matching, all, categories } = useLoaderData<typeof loader>();
  const list = (changes: Parameters<typeof productQuery>[1]) => productQuery(search, changes) || "?";
  const pageHref = (cursor: string | null) => (cursor ? list({ cursor }) : undefined);
  const imageHref = (id: string) => portalHref(base, `/products/${id}/image`);
  const viewHref = (id: string) =>
    portalHref(base, `/products/${id}${productQuery(search, { cursor: search.cursor })}`);
  const sortHref = (sort: typeof search.sort) => list({ sort });
  const { columns, choices, chosen } = chooseColumns(
    productColumns({ sort: search.sort, sortHref, viewHref, imageHref }),
    search.columns,
  );
  return (
    <>
      <CategoryLinks search={search} categories={categories} all={all} />
      <ListHead filters={<ProductFilters search={search} categories={categories} />}>
        <ListTools
          base={base}
          list="products"
          all="All products"
          views={views}
          choices={choices}
          chosen={chosen}
          queryOf={(changes) => productQuery(search, changes)}
          saved={search.saved}
        />
      </ListHead>
      {page.rows.length === 0 ? (
        <EmptyState
          icon="search-x"
          title="No products found"
          action={<LinkButton to={portalHref(base, "/products")}>Clear search and filters</LinkButton>}
        >
          No products match the current filter
        </EmptyState>
      ) : (
        <SelectableProducts
          // Another filter begins without a selection, and so without "All products in this list".
          key={productQuery(search, { sort: "name", columns: undefined, saved: undefined })}
          to={portalHref(base, "/products/selected")}
          search={search}
          shown={page.rows.length}
          matching={matching}
        >
          {(bar) => (
            <>
              <DataTable
                caption="Products"
                columns={columns}
                rows={page.rows}
                rowName={({ name }) => name}
                select={{ ...selectionForm, bar }}
                actions={({ id, name }) => (
                  <>
                    <IconLink to={viewHref(id)} label="View" itemName={name} icon="view" />
                    <IconLink to={portalHref(base, `/products/${id}/edit`)} label="Edit" itemName={name} icon="edit" />
                    <IconLink
                      to={portalHref(base, `/products/${id}/delete`)}
                      label="Delete"
                      itemName={name}
                      icon="remove"
                    />
                  </>
                )}
              />
              <Pagination
                shown={`Showing ${formatCount(page.rows.length)} of ${formatCount(matching)}`}
                previous={pageHref(page.previousCursor)}
                next={pageHref(page.nextCursor)}
              />
            </>
          )}
        </SelectableProducts>
      )}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Product Catalog") }];
