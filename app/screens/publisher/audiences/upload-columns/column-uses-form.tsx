import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { addressUses, type ColumnUse, columnUseLabels, columnUses } from "#app/domain/audiences/files/column-uses.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { fieldValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

type Column = {
  name: string;
  use: ColumnUse;
  detected: ColumnUse;
  /** What the name suggests, of something that is imported only when it is chosen. */
  suggested?: ColumnUse | undefined;
  samples: string[];
};
const options = columnUses.map((use) => ({ value: use, label: columnUseLabels[use] }));

/** The use of each column of a file, with masked examples, and the country of phone numbers without a code. */
export function ColumnUsesForm({
  columns,
  headerless,
  phoneCountry,
  countries,
  checks,
  rejected,
  back,
}: {
  columns: readonly Column[];
  headerless: boolean;
  phoneCountry: string;
  countries: readonly { code: string; name: string }[];
  checks: FormChecks;
  rejected: SubmissionResult<string[]> | undefined;
  back: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const busy = useNavigation().formData?.get("intent") === "save";
  const typed = rejected?.initialValue;
  const uses: readonly string[] = fieldValues(fields.values, "columns");
  // An address that lacks a part is an error of the parts that are chosen.
  const chosen = addressUses.map((part) => uses.indexOf(part)).filter((index) => index >= 0);
  const wrong = chosen.length === addressUses.length ? 0 : (chosen[0] ?? 0);
  return (
    <Card title="Columns">
      <Form method="post" {...form.props} className="form-grid">
        <p className="hint">
          {`${pluralize(columns.length, "column")} found. Values are masked, and the file itself is not stored. `}
          {headerless
            ? "Your choices apply to the next files without column names whose identifiers are in the same columns."
            : "Your choices apply to the next files with the same column names."}
        </p>
        <p className="hint">
          Google and Meta can also find people by name, postal code and country. For that, choose the columns of the
          first name, the last name and the postal code. They are stored encrypted, names as hashes, and sent to these
          channels with the people's identifiers.
        </p>
        <div className="form-grid form-grid-2">
          {columns.map((column, index) => (
            <SelectField
              // Names are not unique in a file, and columns don't move.
              // biome-ignore lint/suspicious/noArrayIndexKey: the position is what identifies a column
              key={index}
              id={index === wrong ? "columns" : `columns-${index}`}
              name="columns"
              label={column.name}
              hint={describeColumn(column)}
              options={options}
              defaultValue={uses[index] ?? column.use}
              errors={index === wrong ? (rejected?.error?.columns ?? undefined) : undefined}
            />
          ))}
        </div>
        <SelectField
          name="phone_country"
          label="Country of rows without one"
          hint="For phone numbers without + and for postal codes"
          emptyLabel="The country of the audience"
          options={countries.map(({ code, name }) => ({ value: code, label: name }))}
          defaultValue={typeof typed?.phone_country === "string" ? typed.phone_country : phoneCountry}
          errors={fields.errors.phone_country}
        />
        <div className="actions">
          <LinkButton to={back}>Cancel</LinkButton>
          <Button name="intent" value="save" variant="primary" busy={busy} busyLabel="Saving...">
            Save columns
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** The examples of a column, and what its name says where something else is chosen. */
function describeColumn({ samples, detected, suggested, use }: Column): string {
  const values = samples.length > 0 ? samples.join(", ") : "No values to show";
  if (suggested && use === "ignored") return `${values}. Can be chosen as: ${columnUseLabels[suggested]}`;
  if (detected === use) return values;
  return `${values}. ${detected === "ignored" ? "Not recognized by its name" : `Detected as: ${columnUseLabels[detected]}`}`;
}
