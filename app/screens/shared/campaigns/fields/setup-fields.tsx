import { type Objective, objectiveLabels, objectives } from "#app/domain/campaigns/campaign.ts";
import { ChoiceField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText, fieldValues } from "#app/ui/form/form-values.ts";

const hints: Record<Objective, string> = {
  awareness: "Reach as many of the right people as your budget allows",
  traffic: "Bring visitors to your website",
  conversions: "Get more purchases",
};

/** The fields `name` and `objective`. */
export function SetupFields({ values, errors }: FieldsProps) {
  return (
    <>
      <TextField
        name="name"
        label="Campaign name"
        required
        maxLength={120}
        autoComplete="off"
        defaultValue={fieldText(values, "name")}
        errors={errors.name}
      />
      <ChoiceField
        type="radio"
        variant="cards"
        name="objective"
        label="Objective"
        required
        options={objectives.map((value) => ({ value, label: objectiveLabels[value], hint: hints[value] }))}
        selected={fieldValues(values, "objective")}
        errors={errors.objective}
      />
    </>
  );
}
