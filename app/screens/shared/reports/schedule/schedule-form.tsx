import type { SubmissionResult } from "@conform-to/react";
import { reportRangeLabels, reportRanges } from "#app/domain/reports/report-period.ts";
import { reportFormats, weekdays } from "#app/domain/reports/report-schedule.ts";
import { upperFirst } from "#app/domain/upper-first.ts";
import { formatHour, formatZone, reportFormatLabels } from "#app/screens/shared/reports/report-copy.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField, SelectField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FormValues, fieldText, fieldValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * When a report is emailed, what it covers, and who gets it. The style sheet shows the day that belongs to the
 * frequency.
 */
export function ScheduleForm({
  checks,
  rejected,
  stored,
  zones,
  people,
  submitLabel,
  back,
}: {
  checks: FormChecks;
  rejected: SubmissionResult<string[]> | undefined;
  stored: FormValues;
  zones: readonly string[];
  people: readonly { name: string; email: string }[];
  submitLabel: string;
  back: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const { values, errors } = fields;
  const busy = useIsPosting();
  return (
    <Card>
      <Form method="post" {...form.props} className="form-grid schedule-form">
        <FormSummary {...form.summary} />
        <ChoiceField
          type="radio"
          name="frequency"
          variant="cards"
          label="How often"
          options={[
            { value: "daily", label: "Daily" },
            { value: "weekly", label: "Weekly" },
            { value: "monthly", label: "Monthly" },
          ]}
          selected={[fieldText(values, "frequency")]}
          errors={errors.frequency}
        />
        <div className="only-weekly">
          <SelectField
            name="weekday"
            label="Day of the week"
            options={weekdays.map((value) => ({ value, label: upperFirst(value) }))}
            defaultValue={fieldText(values, "weekday")}
            errors={errors.weekday}
          />
        </div>
        <div className="only-monthly">
          <SelectField
            name="day_of_month"
            label="Day of the month"
            hint="A month that lacks the day is sent on its last day."
            options={numbers(1, 31).map((day) => ({ value: String(day), label: String(day) }))}
            defaultValue={fieldText(values, "day_of_month")}
            errors={errors.day_of_month}
          />
        </div>
        <div className="form-grid form-grid-2">
          <SelectField
            name="hour"
            label="Time"
            options={numbers(0, 23).map((hour) => ({ value: String(hour), label: formatHour(hour) }))}
            defaultValue={fieldText(values, "hour")}
            errors={errors.hour}
          />
          <SelectField
            name="time_zone"
            label="Time zone"
            options={zones.map((zone) => ({ value: zone, label: formatZone(zone) }))}
            defaultValue={fieldText(values, "time_zone")}
            errors={errors.time_zone}
          />
        </div>
        <SelectField
          name="range"
          label="Dates in the report"
          hint="Counted back from the day it is sent. Campaign days are in UTC and end at midnight UTC."
          options={reportRanges.map((value) => ({ value, label: reportRangeLabels[value] }))}
          defaultValue={fieldText(values, "range")}
          errors={errors.range}
        />
        <ChoiceField
          type="radio"
          name="format"
          variant="cards"
          label="File"
          options={reportFormats.map((value) => ({
            value,
            label: reportFormatLabels[value],
            hint: formatHints[value],
          }))}
          selected={[fieldText(values, "format")]}
          errors={errors.format}
        />
        <ChoiceField
          type="checkbox"
          name="recipients"
          label="Recipients"
          required
          hint="Only people of your account. Each can turn these emails off."
          options={people.map(({ name, email }) => ({ value: email.toLowerCase(), label: name, hint: email }))}
          selected={fieldValues(values, "recipients")}
          errors={errors.recipients}
        />
        <div className="actions">
          <LinkButton variant="ghost" to={back}>
            Cancel
          </LinkButton>
          <Button name="intent" value="save" variant="primary" busy={busy} busyLabel="Saving...">
            {submitLabel}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

const formatHints = { csv: "Every row, for spreadsheets", pdf: "Up to 500 rows, for reading" };
