import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { MailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { mailEventsFor, mailGroupLabels, mailGroups, mailKinds } from "#app/domain/notifications/mail-kinds.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField, SelectField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText, fieldValues } from "#app/ui/form/form-values.ts";
import { OpenedValue } from "#app/ui/form/opened-value.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** Which emails a person receives, when, and in which time zone. */
export function EmailSettingsCard({
  portal,
  settings,
  zones,
  rejected,
  checks,
}: {
  portal: AccountType;
  settings: MailSettings;
  zones: readonly string[];
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored: settings });
  const { values, errors } = fields;
  const busy = useNavigation().formData?.get("intent") === "save-mails";
  const events = mailEventsFor(portal);
  const always = events.filter((event) => mailKinds[event].group === null);
  return (
    <div id="mails">
      <Card title="Time zone and emails">
        <Form method="post" {...form.props} preventScrollReset className="form-grid">
          <FormSummary {...form.summary} />
          <OpenedValue name="opened_events" values={values} value={settings.events.join(" ")} />
          <ChoiceField
            type="radio"
            name="delivery"
            variant="cards"
            label="Frequency"
            options={[
              { value: "immediate", label: "Immediately", hint: "One email per event" },
              { value: "daily", label: "Once a day", hint: "One daily summary at 8:00 AM in your time zone" },
            ]}
            selected={[fieldText(values, "delivery")]}
            errors={errors.delivery}
          />
          <SelectField
            name="time_zone"
            label="Time zone"
            hint="For times on screens and in your emails. Days without a time, such as a campaign's, are in UTC for everyone."
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
            defaultValue={fieldText(values, "time_zone")}
            errors={errors.time_zone}
          />
          <div className="form-grid">
            {mailGroups.map((group) => {
              const options = events.filter((event) => mailKinds[event].group === group);
              return options.length === 0 ? null : (
                <ChoiceField
                  key={group}
                  type="checkbox"
                  name="events"
                  columns
                  id={`events-${group}`}
                  label={mailGroupLabels[group]}
                  options={options.map((value) => ({ value, label: mailKinds[value].label }))}
                  selected={fieldValues(values, "events")}
                />
              );
            })}
          </div>
          <p className="hint">
            Always sent immediately: {always.map((event) => lowerFirst(mailKinds[event].label)).join(", ")}.
          </p>
          <div className="actions">
            <Button name="intent" value="save-mails" variant="primary" busy={busy} busyLabel="Saving...">
              Save email settings
            </Button>
          </div>
        </Form>
      </Card>
    </div>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
