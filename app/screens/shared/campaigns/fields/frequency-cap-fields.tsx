import { frequencyCapLimits, frequencyCapPeriods } from "#app/domain/campaigns/campaign.ts";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** The fields `frequency_cap_impressions` and `frequency_cap_period`: how often one person may see the campaign. */
export function FrequencyCapFields({ values, errors }: FieldsProps) {
  const { min, max, defaultImpressions, defaultPeriod } = frequencyCapLimits;
  return (
    <div className="form-grid form-grid-2">
      <TextField
        name="frequency_cap_impressions"
        label="Frequency cap"
        hint={`Impressions per person, ${min} to ${max}`}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        step={1}
        defaultValue={fieldText(values, "frequency_cap_impressions") || defaultImpressions}
        errors={errors.frequency_cap_impressions}
      />
      <SelectField
        name="frequency_cap_period"
        label="Period"
        options={frequencyCapPeriods.map((value) => ({ value, label: `per ${value}` }))}
        defaultValue={fieldText(values, "frequency_cap_period") || defaultPeriod}
        errors={errors.frequency_cap_period}
      />
    </div>
  );
}
