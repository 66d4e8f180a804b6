import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { MailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { mailGroupLabels, mailGroups, mailKinds, mailsFor } from "#app/domain/notifications/mail-kinds.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { formStateOf, listOf, textOf } from "#app/screens/shared/campaign-fields/form-values.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField, SelectField } from "#app/ui/field.tsx";
import { Card } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";

/** Which mails a person gets, when, and in which time zone their times are. */
export function MailPanel({
  portal,
  settings,
  zones,
  refused,
}: {
  portal: AccountType;
  settings: MailSettings;
  zones: readonly string[];
  refused: SubmissionResult<string[]> | undefined;
}) {
  const { values, errors } = formStateOf(refused, settings);
  const busy = useNavigation().formData?.get("intent") === "save-mails";
  const events = mailsFor(portal);
  const always = events.filter((event) => mailKinds[event].group === null);
  return (
    <div id="mails">
      <Card title="E-mails">
        <Form method="post" noValidate preventScrollReset className="form-grid">
          <Attention to={refused}>
            <ErrorSummary errors={summaryOf(errors)} />
          </Attention>
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
