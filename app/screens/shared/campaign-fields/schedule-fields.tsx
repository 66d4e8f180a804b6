import { TextField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** `start_date` and `end_date`, days in UTC. A date that cannot be read is shown as text, as it was sent. */
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
  const value = textOf(values, name);
  const readable = value === "" || /^\d{4}-\d\d-\d\d$/.test(value);
  return (
    <TextField
      name={name}
      label={label}
      hint={readable ? "Counted in UTC" : "YYYY-MM-DD"}
      required
      type={readable ? "date" : "text"}
      min={readable ? min : undefined}
      defaultValue={value}
      errors={errors[name]}
    />
  );
}
