import { pacingLabels, pacings } from "#app/domain/campaigns/campaign.ts";
import { SelectField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** `pacing`: how the budget is spread over the flight. */
export function PacingField({ values, errors }: FieldsProps) {
  return (
    <div className="form-grid form-grid-2">
      <SelectField
        name="pacing"
        label="Pacing"
        hint="Either way no day passes its budget"
        options={pacings.map((value) => ({ value, label: pacingLabels[value] }))}
        defaultValue={textOf(values, "pacing") || "even"}
        errors={errors.pacing}
      />
    </div>
  );
}
