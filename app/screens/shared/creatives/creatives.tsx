import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { ImagePlus, SearchX } from "lucide-react";
import { z } from "zod";
import { creativeTypes, wordsOfQuota } from "#app/domain/creatives/creative.ts";
import { countCreatives, listCreatives, measureStorage } from "#app/domain/creatives/list-creatives.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { IconLink, LinkButton } from "#app/ui/button.tsx";
import { formatBytes, formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary } from "#app/ui/notice.tsx";
import { Pagination } from "#app/ui/table.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { cursorParam, queryParam, readSearch } from "#app/web/search-params.server.ts";
import { creativeFilesField } from "./creative-files-field.ts";
import { CreativeFilters } from "./creative-filters.tsx";
import { creativeQuery } from "./creative-search.ts";
import { CreativeThumbnail } from "./creative-thumbnail.tsx";
import { CreativeUpload } from "./creative-upload.tsx";
import { wordsOfFile } from "./creative-words.ts";
import { readCreativeForm, wordsOfErrors } from "./read-creative-form.server.ts";

const pageSize = 24;
const searchSchema = z.object({
  q: queryParam,
  type: z.enum(creativeTypes).optional().catch(undefined),
  cursor: cursorParam,
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const search = readSearch(request, searchSchema);
  const [page, found, stored] = await Promise.all([
    listCreatives(ctx, { ...search, limit: pageSize }),
    countCreatives(ctx, search),
    measureStorage(ctx),
  ]);
  return { base, ...page, search, found, stored };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { ids, errors } = await readCreativeForm(ctx, request);
  if (ids.length + errors.length === 0) errors.push({ file: "", message: "Choose at least one file" });
  if (errors.length > 0) return data({ taken: ids.length, errors: wordsOfErrors(errors) }, { status: 422 });
  const message = `${formatNumberOf(ids.length, "creative")} uploaded`;
  return redirectWithFlash(portalHref(base, "/creatives"), { tone: "success", message });
}

/** A form that was refused may have brought creatives. */
export function shouldRevalidate() {
  return true;
}

export default function Creatives() {
  const { base, stored } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { revalidate } = useRevalidator();
  const errors = refused?.errors ?? [];
  return (
    <>
      <PageHeader
        title="Creatives"
        subtitle={`${formatNumberOf(stored.files, "file")}, ${formatBytes(stored.bytes)} of ${wordsOfQuota(stored.quota)}`}
      />
      <div className="stack">
        <Attention to={refused}>
          <ErrorSummary
            errors={errors.map((message) => ({ message, href: `#${creativeFilesField}` }))}
            title={refused?.taken ? `${formatNumberOf(refused.taken, "file")} uploaded, others were not` : undefined}
          />
        </Attention>
        <Card>
          <Form method="post" encType="multipart/form-data" noValidate>
            <CreativeUpload to={portalHref(base, "/creatives/upload")} onUploaded={revalidate} errors={errors} />
          </Form>
        </Card>
        <Library />
      </div>
    </>
  );
}

function Library() {
  const { rows, search, found, stored } = useLoaderData<typeof loader>();
  if (stored.files === 0) {
    return (
      <Card>
        <EmptyState icon={ImagePlus} title="No creatives yet">
          Upload pictures and films here, or in the step of a campaign that shows them.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Your creatives" flush>
      <CreativeFilters search={search} count={formatNumberOf(found, "creative")} />
      {rows.length === 0 ? (
        <EmptyState
          icon={SearchX}
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
            <span className="creative-words">
              <span>
                <strong>{creative.name}</strong>
                <small>{wordsOfFile(creative)}</small>
              </span>
              <IconLink
                to={portalHref(base, `/creatives/${creative.id}/delete`)}
                label="Delete"
                of={creative.name}
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
