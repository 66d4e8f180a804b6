import { pacingLabels, pacings } from "#app/domain/campaigns/campaign.ts";
import { SelectField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** The field `pacing`: how the budget is spread over the flight. */
export function PacingField({ values, errors }: FieldsProps) {
  return (
    <div className="form-grid form-grid-2">
      <SelectField
        name="pacing"
        label="Pacing"
        hint="Either way, spend never exceeds the daily budget"
        options={pacings.map((value) => ({ value, label: pacingLabels[value] }))}
        defaultValue={fieldText(values, "pacing") || "even"}
        errors={errors.pacing}
      />
    </div>
  );
}
