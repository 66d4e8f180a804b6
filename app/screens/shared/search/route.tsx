import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { loadSearch } from "#app/portal/search/load-search.server.ts";
import type { SearchItems } from "#app/portal/search/search-view.ts";
import { Button } from "#app/ui/button.tsx";
import { SearchInput } from "#app/ui/filter-form.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  return loadSearch(request, context);
}

/** The search as a page, which needs no scripting. */
export default function Search() {
  const { q, groups } = useLoaderData<typeof loader>();
  const found = groups.reduce((sum, { items }) => sum + items.length, 0);
  const hasMore = groups.some((group) => group.count);
  return (
    <>
      <PageHeader
        title={q ? `Search: ${q}` : "Search"}
        subtitle={
          q
            ? `${found === 0 ? "No results" : `${pluralize(found, "result")} shown`}${hasMore ? ", and there are more" : ""}`
            : "Where you can go"
        }
      />
      <div className="stack">
        <Form method="get" role="search" className="search-page-form" key={q}>
          <SearchInput label="Search campaigns, audiences, products, pages" value={q} />
          <Button variant="primary">Search</Button>
        </Form>
        {groups.map((group) => (
          <ResultCard key={group.label} {...group} />
        ))}
        {groups.length === 0 ? (
          <Card>
            <EmptyState icon="search-x" title="No results">
              Nothing matches “{q}”. Search for a part of a name, a whole SKU, an invoice number, or a month.
            </EmptyState>
          </Card>
        ) : null}
      </div>
    </>
  );
}

function ResultCard({ label, items, count, more }: SearchItems) {
  return (
    <Card
      flush
      title={label}
      aside={<span className="count">{count ? `${items.length} of ${count}` : items.length}</span>}
      foot={
        more ? (
          <Link className="link" to={more.href}>
            {more.label}
          </Link>
        ) : undefined
      }
    >
      <ul className="search-results">
        {items.map(({ id, href, title, detail }) => (
          <li key={id}>
            <Link to={href} prefetch="intent">
              <span>{title}</span>
              <small>{detail}</small>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data?.q ? `Search: ${data.q}` : "Search") },
];
