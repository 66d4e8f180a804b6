import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useLoaderData, useRevalidator } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { formatQuota } from "#app/domain/creatives/creative.ts";
import { countCreatives, getStorageUsage, listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { describeCreativeFile } from "#app/screens/shared/creatives/creative-copy.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { CreativeThumbnail } from "#app/screens/shared/creatives/creative-thumbnail.tsx";
import { CreativeUpload } from "#app/screens/shared/creatives/creative-upload.tsx";
import { formatFileErrors, readCreativeForm } from "#app/screens/shared/creatives/read-creative-form.server.ts";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { ViewsMenu } from "#app/screens/shared/views/views-menu.tsx";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { formatBytes, formatCount, pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary } from "#app/ui/notice.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { ListHead } from "#app/ui/table/list-head.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";
import { CreativeFilters } from "./creative-filters.tsx";
import { creativeQuery } from "./creative-search.ts";
import { parseCreativeSearch } from "./parse-creative-search.server.ts";

const pageSize = 24;
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const search = parseCreativeSearch(request);
  const [[page, found, stored], views] = await Promise.all([
    inSnapshot(ctx, (tx) =>
      Promise.all([
        pageOrFirstPage((query) => listCreatives(tx, query), { ...search, limit: pageSize }),
        countCreatives(tx, search),
        getStorageUsage(tx),
      ]),
    ),
    listSavedViews(ctx, { userId: viewer.id, list: "creatives" }),
  ]);
  return { base, ...page, search, found, stored, views };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const { ids, errors } = await readCreativeForm(ctx, request);
  if (ids.length + errors.length === 0) errors.push({ file: "", message: "Choose at least one file" });
  if (errors.length > 0) return data({ taken: ids.length, errors: formatFileErrors(errors) }, { status: 422 });
  const message = `${pluralize(ids.length, "creative")} uploaded`;
  return redirectWithFlash(portalHref(base, "/creatives"), { tone: "success", message });
}

/** A rejected form may still have stored creatives, so the page reloads its data. */
export function shouldRevalidate() {
  return true;
}

export default function Creatives() {
  const { base, stored, rows } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const { revalidate } = useRevalidator();
  const errors = rejected?.errors ?? [];
  return (
    <>
      <PageHeader
        title="Creatives"
        subtitle={`${pluralize(stored.files, "file")}, ${formatBytes(stored.bytes)} of ${formatQuota(stored.quota)}`}
      />
      <div className="stack">
        <FocusOnChange to={rejected}>
          <ErrorSummary
            errors={errors.map((message) => ({ message, href: `#${creativeFilesField}` }))}
            title={rejected?.taken ? `${pluralize(rejected.taken, "file")} uploaded, others failed` : undefined}
          />
        </FocusOnChange>
        <Card>
          <Form method="post" encType="multipart/form-data" noValidate>
            <CreativeUpload
              to={portalHref(base, "/creatives/upload")}
              onUploaded={revalidate}
              listed={rows}
              errors={errors}
            />
          </Form>
        </Card>
        <Library />
      </div>
    </>
  );
}

function Library() {
  const { base, rows, search, found, stored, views } = useLoaderData<typeof loader>();
  if (stored.files === 0) {
    return (
      <Card>
        <EmptyState icon="image-plus" title="No creatives yet">
          Upload images and videos here or while you create a campaign.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Your creatives" flush>
      <ListHead filters={<CreativeFilters search={search} count={pluralize(found, "creative")} />}>
        <ViewsMenu
          base={base}
          list="creatives"
          all="All creatives"
          views={views}
          query={creativeQuery(search, { saved: undefined })}
          saved={search.saved}
        />
      </ListHead>
      {rows.length === 0 ? (
        <EmptyState
          icon="search-x"
          title="No creatives found"
          action={<LinkButton to={creativeQuery({})}>Show all creatives</LinkButton>}
        >
          No creatives match the search.
        </EmptyState>
      ) : (
        <Listed />
      )}
    </Card>
  );
}

function Listed() {
  const { base, rows, search, found, nextCursor, previousCursor } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? creativeQuery(search, { cursor }) : undefined);
  return (
    <>
      <ul className="creatives creatives-in-card">
        {rows.map((creative) => (
          <li key={creative.id} className="creative">
            <a href={creative.path} target="_blank" rel="noreferrer" aria-label={`Open ${creative.name}`}>
              <CreativeThumbnail creative={creative} />
            </a>
            <span className="creative-text">
              <span>
                <strong>{creative.name}</strong>
                <small>{describeCreativeFile(creative)}</small>
              </span>
              <IconLink
                to={portalHref(base, `/creatives/${creative.id}/delete`)}
                label="Delete"
                itemName={creative.name}
                icon="remove"
              />
            </span>
          </li>
        ))}
      </ul>
      <Pagination
        shown={`Showing ${formatCount(rows.length)} of ${formatCount(found)}`}
        previous={pageHref(previousCursor)}
        next={pageHref(nextCursor)}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Creatives") }];
