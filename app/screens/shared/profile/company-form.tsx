import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { type AccountType, businessVerticalLabels, businessVerticals } from "#app/domain/accounts/account.ts";
import type { AccountProfile } from "#app/domain/accounts/get-profile.server.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField, MoneyField, SelectField, TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";
import { OpenedValue } from "#app/ui/form/opened-value.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** The company's data. */
export function CompanyForm({
  portal,
  profile,
  opened,
  rejected,
  checks,
}: {
  portal: AccountType;
  profile: AccountProfile;
  /** The fingerprints of its fields. */
  opened: string;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored: profile });
  const allows = rejected ? fields.values.allows_managed_campaigns === "on" : profile.allows_managed_campaigns;
  const busy = useNavigation().formData?.get("intent") === "save-profile";
  return (
    <Card title="Company">
      <Form method="post" {...form.props} className="form-grid">
        <OpenedValue name="opened" values={fields.values} value={opened} />
        <FormSummary {...form.summary} />
        <TextField
          name="company_name"
          label="Company name"
          required
          maxLength={200}
          autoComplete="organization"
          defaultValue={fieldText(fields.values, "company_name")}
          errors={fields.errors.company_name}
        />
        <TextField
          name="website"
          label="Website"
          type="url"
          placeholder="https://"
          autoComplete="url"
          defaultValue={fieldText(fields.values, "website")}
          errors={fields.errors.website}
        />
        {portal === "advertiser" ? <AdvertiserFields {...fields} allows={allows} /> : <PublisherFields {...fields} />}
        <div className="actions">
          <Button name="intent" value="save-profile" variant="primary" busy={busy} busyLabel="Saving...">
            Save profile
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function AdvertiserFields({ values, errors, allows }: FieldsProps & { allows: boolean }) {
  return (
    <>
      <div className="form-grid form-grid-2">
        <SelectField
          name="business_vertical"
          label="Business vertical"
          emptyLabel="Not selected"
          options={businessVerticals.map((value) => ({ value, label: businessVerticalLabels[value] }))}
          defaultValue={fieldText(values, "business_vertical")}
          errors={errors.business_vertical}
        />
        <MoneyField
          name="monthly_budget"
          label="Monthly ad budget"
          hint="In US dollars"
          defaultValue={fieldText(values, "monthly_budget")}
          errors={errors.monthly_budget}
        />
      </div>
      <CheckboxField
        name="allows_managed_campaigns"
        label="Allow publishers to create campaigns for you"
        hint="These campaigns run on the publisher's audiences, belong to you, and can be paused at any time"
        defaultChecked={allows}
        errors={errors.allows_managed_campaigns}
      />
    </>
  );
}

function PublisherFields({ values, errors }: FieldsProps) {
  return (
    <div className="form-grid form-grid-2">
      <TextField
        name="monthly_visitors"
        label="Monthly visitors"
        inputMode="numeric"
        defaultValue={fieldText(values, "monthly_visitors")}
        errors={errors.monthly_visitors}
      />
      <TextField
        name="monthly_pageviews"
        label="Monthly pageviews"
        inputMode="numeric"
        defaultValue={fieldText(values, "monthly_pageviews")}
        errors={errors.monthly_pageviews}
      />
    </div>
  );
}
