import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { segmentLabels } from "#app/domain/audiences/audience.ts";
import type { ConsentUse } from "#app/domain/audiences/consent/audience-consent.ts";
import { getOfferedAudience } from "#app/domain/audiences/get-audience.server.ts";
import { publishedSizes } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { formatPeopleRange } from "#app/screens/shared/campaigns/reach/format-people-range.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const audience = await orThrow404(getOfferedAudience(ctx, requireIdParam<AudienceId>(params.id)));
  const size = (await publishedSizes(ctx, [audience.id])).get(audience.id) ?? null;
  return { base, audience, size };
}

/** What an advertiser may know of an audience that it can select: the same as in a campaign's audience step. */
export default function OfferedAudience() {
  const { base, audience, size } = useLoaderData<typeof loader>();
  const { id, name, description, publisherName, segment, cpmCents, consentUse } = audience;
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/search"), label: "Search" }]} here={name} />
      <PageHeader
        title={name}
        subtitle={description ?? `An audience of ${publisherName}`}
        actions={
          <>
            <LinkButton to={portalHref(base, `/analytics?audience=${id}`)} icon="chart-line">
              View analytics
            </LinkButton>
            <LinkButton to={portalHref(base, "/campaigns/create")} variant="primary" icon="plus">
              Create Campaign
            </LinkButton>
          </>
        }
      />
      <Card>
        <DescriptionList
          facts={[
            { label: "Publisher", value: publisherName },
            { label: "Segment", value: segmentLabels[segment] },
            { label: "People", value: size ? formatPeopleRange(size) : "–" },
            { label: "CPM", value: cpmCents === null ? "–" : formatCents(cpmCents) },
            { label: "On Google Ads", value: googleUseLabels[consentUse] },
          ]}
        />
        <p className="hint mt-4">Choose it in step 3 of a campaign, Audience & Targeting.</p>
      </Card>
    </>
  );
}

const googleUseLabels: Record<ConsentUse, string> = {
  everywhere: "All countries",
  outside_eea: "Not in the EEA, the UK and Switzerland: consent of the people there is missing",
  nowhere: "Not available: people did not consent",
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data?.audience.name ?? "Audience") },
];
