import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listAdvertisers } from "#app/domain/accounts/list-advertisers.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { loadManagedOptions } from "#app/screens/publisher/campaigns/load-managed-options.server.ts";
import { toPlanLimit } from "#app/screens/publisher/campaigns/to-plan-limit.server.ts";
import { SeePlansInNewTab } from "#app/screens/publisher/subscription/see-plans-link.tsx";
import { sortByFieldOrder } from "#app/screens/shared/campaigns/fields/in-order.ts";
import { loadReachForForm } from "#app/screens/shared/campaigns/reach/load-reach.server.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import {
  type CreativeForm,
  formatFileErrors,
  readCreativeForm,
  withUploadedCreatives,
} from "#app/screens/shared/creatives/read-creative-form.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleFields, replyWithRejectedValues, replyWithValues } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { parseSearchParams, searchTextParam } from "#app/web/search-params.server.ts";
import { ManagedCampaignFields } from "./managed-campaign-fields.tsx";
import { managedCampaignFormSchema, requireChosenAdvertiser } from "./managed-campaign-form.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const { q } = parseSearchParams(request, z.object({ q: searchTextParam }));
  const advertisers = await listAdvertisers(ctx, { limit: pageLimits.max, q });
  return {
    base,
    advertisers: advertisers.rows,
    search:
      q === undefined && advertisers.nextCursor === null ? undefined : { q, isCut: advertisers.nextCursor !== null },
    ...(await loadManagedOptions(ctx, { base, chosen: [] })),
    idempotencyKey: crypto.randomUUID(),
    checks: checksOf(managedCampaignFormSchema),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return replyWithRejectedValues(managedCampaignFormSchema, async () =>
    createFrom(ctx, base, await readCreativeForm(ctx, request)),
  );
}

async function createFrom(ctx: Ctx<PublisherActor>, base: PortalBase, sent: CreativeForm) {
  const form = withUploadedCreatives(sent);
  if (sent.errors.length > 0) return rejectFiles(form, formatFileErrors(sent.errors));
  if (form.get("intent") === "upload") return replyWithValues(form, managedCampaignFormSchema);
  if (form.get("intent") === "estimate") {
    return { ...replyWithValues(form, managedCampaignFormSchema), reach: await loadReachForForm(ctx, form) };
  }
  return handleFields(ctx, form, managedCampaignFormSchema, async ({ idempotency_key: key, ...values }, { reply }) => {
    const campaign = requireChosenAdvertiser(values, calendarDateOf(ctx.clock()));
    const created = await createIdempotently(ctx, { key, values }, (once) =>
      createManagedCampaign(once, campaign),
    ).catch((error: unknown) => toPlanLimit(error, reply));
    if ("exceedsPlan" in created) return data(created, { status: statusByErrorCode.limit_reached });
    const { id } = created;
    const message = "Campaign created and approved by you. The advertiser can view and pause it.";
    return redirectWithFlash(portalHref(base, `/campaigns/${id}`), { tone: "success", message });
  });
}

function rejectFiles(form: FormData, errors: string[]) {
  const typed = replyWithValues(form, managedCampaignFormSchema);
  return data({ ...typed, status: "error" as const, error: { [creativeFilesField]: errors } }, { status: 422 });
}

/** A rejected form gets a new idempotency key, because it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function CreateForAdvertiser() {
  const { base, advertisers, search, audiences, choices, today, idempotencyKey, checks } =
    useLoaderData<typeof loader>();
  const response = useFormResponse<typeof action>();
  const { fields, ...form } = useCheckedForm({
    checks,
    rejected: response,
    stored: { start_date: today, commission_rate: "70" },
  });
  const busy = useIsPosting();
  const listHref = portalHref(base, "/campaigns");
  return (
    <>
      <Breadcrumbs trail={[{ to: listHref, label: "Campaign Management" }]} here="Create Campaign for Advertiser" />
      <PageHeader
        title="Create Campaign for Advertiser"
        subtitle="The campaign runs on your audiences and belongs to the advertiser. It is approved for your audiences right away."
      />
      {search ? <AdvertiserSearch {...search} found={advertisers.length} /> : null}
      <Form method="post" encType="multipart/form-data" {...form.props} className="stack max-w-[880px]">
        {response && "exceedsPlan" in response ? (
          <FormSummary place={form.summary.place} errors={{}}>
            <Notice tone="bad" title={form.summary.errors[""]?.[0]}>
              Your input is still in the form. <SeePlansInNewTab base={base} />
            </Notice>
          </FormSummary>
        ) : (
          <FormSummary {...form.summary} listed={toSummaryErrors(sortByFieldOrder(form.summary.errors))} />
        )}
        <input type="hidden" name="idempotency_key" value={idempotencyKey} />
        <noscript>
          {/* Enter submits a form's first button, which would otherwise be the one that estimates reach. */}
          <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true">
            Create Campaign
          </button>
        </noscript>
        <ManagedCampaignFields
          reach={response && "reach" in response ? response.reach : { ids: [] }}
          reachHref={portalHref(base, "/audiences/reach")}
          {...fields}
          advertisers={advertisers}
          audiences={audiences}
          choices={choices}
          today={today}
        />
        <div className="actions">
          <LinkButton to={listHref} variant="ghost">
            Cancel
          </LinkButton>
          <Button variant="primary" busy={busy} busyLabel="Creating campaign...">
            Create Campaign
          </Button>
        </div>
      </Form>
    </>
  );
}

/**
 * Finds an advertiser where there are more than the form can list. Plain, because the page's script is at its limit.
 */
function AdvertiserSearch({ q, isCut, found }: { q?: string; isCut: boolean; found: number }) {
  return (
    <Form key={q} method="get" className="toolbar max-w-[880px]" role="search">
      <input type="search" name="q" className="input" aria-label="Search advertisers by name" defaultValue={q} />
      <Button>Search</Button>
      <span className="count">{isCut ? `The first ${found} advertisers are listed` : `${found} found`}</span>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Create Campaign for Advertiser") }];
