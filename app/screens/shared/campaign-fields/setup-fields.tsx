import { type Objective, objectiveLabels, objectives } from "#app/domain/campaigns/campaign.ts";
import { ChoiceField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf, textOf } from "#app/ui/form/form-values.ts";

const hints: Record<Objective, string> = {
  awareness: "Be seen by as many of the right people as the budget allows",
  traffic: "Bring people to your pages",
  conversions: "Bring people who buy",
};

/** `name` and `objective`. */
export function SetupFields({ values, errors }: FieldsProps) {
  return (
    <>
      <TextField
        name="name"
        label="Campaign name"
        required
        maxLength={120}
        autoComplete="off"
        defaultValue={textOf(values, "name")}
        errors={errors.name}
      />
      <ChoiceField
        type="radio"
        look="cards"
        name="objective"
        label="Objective"
        required
        options={objectives.map((value) => ({ value, label: objectiveLabels[value], hint: hints[value] }))}
        chosen={listOf(values, "objective")}
        errors={errors.objective}
      />
    </>
  );
}
