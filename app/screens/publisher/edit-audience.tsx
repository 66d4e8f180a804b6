import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { dataSources } from "#app/domain/audiences/audience.ts";
import { changeAudience } from "#app/domain/audiences/change-audience.server.ts";
import { dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listCountries } from "#app/domain/audiences/list-countries.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { AudienceFields } from "./audience-fields.tsx";
import { audienceForm } from "./audience-forms.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const audience = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  const stored = {
    name: audience.name,
    description: audience.description,
    segment: audience.segment,
    estimated_size: audience.estimatedSize,
    cpm_rate: audience.cpmCents === null ? null : (audience.cpmCents / 100).toFixed(2),
    data_source: audience.dataSource,
    refresh_frequency: audience.refreshFrequency,
    default_country: audience.defaultCountry,
  };
  return { base, id: audience.id, stored, countries: listCountries(), checks: checksOf(audienceForm) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const id = idInAddress<AudienceId>(params.id);
  await orNotFoundPage(getAudience(ctx, id));
  return submitForm(request, audienceForm, async (changes) => {
    await changeAudience(ctx, { id, changes });
    return redirectWithFlash(portalHref(base, `/audiences/${id}`), { tone: "success", message: "Audience saved" });
  });
}

export default function EditAudience() {
  const { base, id, stored, countries, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { fields, ...form } = useCheckedForm({ checks, refused, stored });
  const busy = useNavigation().state === "submitting";
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
        subtitle="What is said of the audience; its people stay as they are"
      />
      <Form method="post" {...form.props} className="stack max-w-[880px]">
        <FormSummary {...form.summary} />
        <Card title="Audience configuration">
          <div className="form-grid">
            <AudienceFields {...fields} countries={countries}>
              <SelectField
                name="data_source"
                label="Data source"
                hint="Direct integration requires an enterprise plan"
                options={dataSources.map((value) => ({ value, label: dataSourceLabels[value] }))}
                defaultValue={textOf(fields.values, "data_source")}
                errors={fields.errors.data_source}
              />
            </AudienceFields>
          </div>
        </Card>
        <div className="actions justify-end">
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
