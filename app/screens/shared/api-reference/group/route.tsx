import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { loadApiGroup } from "#app/screens/shared/api-reference/load-api-reference.server.ts";
import { Breadcrumbs, PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { EndpointSection } from "./endpoint-section.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return loadApiGroup(await requireCurrentPortalAccess(request, context), params.group);
}

/** All endpoints of one area. */
export default function ApiGroup() {
  const { base, title, text, endpoints, others } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/api"), label: "API" }]} here={title} />
      <PageHeader title={`API: ${title}`} subtitle={text} />
      <Tabs
        label="Areas of the API"
        tabs={others.map((other) => ({
          to: portalHref(base, `/api/${other.slug}`),
          label: other.title,
          current: other.current,
        }))}
      />
      <div className="stack">
        {endpoints.map((endpoint) => (
          <EndpointSection key={endpoint.name} endpoint={endpoint} />
        ))}
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: pageTitle(`API: ${data?.title ?? ""}`) }];
