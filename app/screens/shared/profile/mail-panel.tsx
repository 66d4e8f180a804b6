import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { MailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { mailGroupLabels, mailGroups, mailKinds, mailsFor } from "#app/domain/notifications/mail-kinds.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField, SelectField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { listOf, textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Card } from "#app/ui/layout.tsx";

/** Which mails a person gets, when, and in which time zone their times are. */
export function MailPanel({
  portal,
  settings,
  zones,
  refused,
  checks,
}: {
  portal: AccountType;
  settings: MailSettings;
  zones: readonly string[];
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({ checks, refused, stored: settings });
  const { values, errors } = fields;
  const busy = useNavigation().formData?.get("intent") === "save-mails";
  const events = mailsFor(portal);
  const always = events.filter((event) => mailKinds[event].group === null);
  return (
    <div id="mails">
      <Card title="E-mails">
        <Form method="post" {...form.props} preventScrollReset className="form-grid">
          <FormSummary {...form.summary} />
          <ChoiceField
            type="radio"
            name="delivery"
            look="cards"
            label="When"
            options={[
              { value: "at_once", label: "At once", hint: "An e-mail for each thing that happens" },
              { value: "daily", label: "Once a day", hint: "One e-mail with all of them, at 08:00 in your time zone" },
            ]}
            chosen={[textOf(values, "delivery")]}
            errors={errors.delivery}
          />
          <SelectField
            name="time_zone"
            label="Time zone"
            hint="Of the times in your e-mails. Days of campaigns are UTC."
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
            defaultValue={textOf(values, "time_zone")}
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
                  chosen={listOf(values, "events")}
                />
              );
            })}
          </div>
          <p className="hint">
            Always sent, at once: {always.map((event) => lowerFirst(mailKinds[event].label)).join(", ")}.
          </p>
          <div className="actions justify-end">
            <Button name="intent" value="save-mails" variant="primary" busy={busy} busyLabel="Saving...">
              Save e-mails
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
