import { TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** The fields `start_date` and `end_date`, as UTC days. An invalid date is shown as text, as it was sent. */
export function ScheduleFields({ values, errors, today }: FieldsProps & { today?: string }) {
  return (
    <div className="form-grid form-grid-2">
      <DateField name="start_date" label="Start date" min={today} values={values} errors={errors} />
      <DateField name="end_date" label="End date" min={today} values={values} errors={errors} />
    </div>
  );
}

function DateField({
  name,
  label,
  min,
  values,
  errors,
}: FieldsProps & { name: string; label: string; min: string | undefined }) {
  const value = fieldText(values, name);
  const readable = value === "" || /^\d{4}-\d\d-\d\d$/.test(value);
  return (
    <TextField
      name={name}
      label={label}
      hint={readable ? "Days are in UTC" : "YYYY-MM-DD"}
      required
      type={readable ? "date" : "text"}
      min={readable ? min : undefined}
      defaultValue={value}
      errors={errors[name]}
    />
  );
}
