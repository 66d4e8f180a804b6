import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dataSources } from "#app/domain/audiences/audience.ts";
import { dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { AudienceFormFields } from "#app/screens/publisher/audiences/audience-form-fields.tsx";
import { audienceFormSchema } from "#app/screens/publisher/audiences/audience-form-schema.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { OpenedValue } from "#app/ui/form/opened-value.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { fingerprintFields, omitUnchangedFields } from "#app/web/forms/opened-fields.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const audience = await orThrow404(getAudience(ctx, requireIdParam<AudienceId>(params.id)));
  const stored = {
    name: audience.name,
    description: audience.description,
    segment: audience.segment,
    estimated_size: audience.estimatedSize,
    cpm_rate: audience.cpmCents === null ? null : (audience.cpmCents / 100).toFixed(2),
    data_source: audience.dataSource,
    refresh_frequency: audience.refreshFrequency,
    default_country: audience.defaultCountry,
    ad_user_data_consent: audience.adUserDataConsent,
    ad_personalization_consent: audience.adPersonalizationConsent,
  };
  const opened = fingerprintFields(audienceFormSchema, stored);
  return { base, id: audience.id, stored, opened, countries: listCountries(), checks: checksOf(audienceFormSchema) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const id = requireIdParam<AudienceId>(params.id);
  return handleForm(
    request,
    audienceFormSchema,
    async (values, { payload }) => {
      await updateAudience(ctx, { id, changes: omitUnchangedFields(values, payload.opened) });
      return redirectWithFlash(portalHref(base, `/audiences/${id}`), { tone: "success", message: "Audience saved" });
    },
    { checkOwner: () => orThrow404(getAudience(ctx, id)) },
  );
}

export default function EditAudience() {
  const { base, id, stored, opened, countries, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const busy = useIsPosting();
  const page = portalHref(base, `/audiences/${id}`);
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: page, label: stored.name },
        ]}
        here="Edit"
      />
      <PageHeader
        title={`Edit “${stored.name}”`}
        subtitle="Changes the audience's details. The people in it stay the same."
      />
      <Form method="post" {...form.props} className="stack max-w-[880px]">
        <OpenedValue name="opened" values={fields.values} value={opened} />
        <FormSummary {...form.summary} />
        <Card title="Audience configuration">
          <div className="form-grid">
            <AudienceFormFields {...fields} countries={countries}>
              <SelectField
                name="data_source"
                label="Data source"
                hint="Direct integration requires an enterprise plan"
                options={dataSources.map((value) => ({ value, label: dataSourceLabels[value] }))}
                defaultValue={fieldText(fields.values, "data_source")}
                errors={fields.errors.data_source}
              />
            </AudienceFormFields>
          </div>
        </Card>
        <div className="actions">
          <LinkButton to={page} variant="ghost">
            Cancel
          </LinkButton>
          <Button variant="primary" busy={busy} busyLabel="Saving...">
            Save audience
          </Button>
        </div>
      </Form>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Edit ${data?.stored.name ?? "audience"}`) },
];
