import { geolocationLabels, geolocations } from "#app/domain/campaigns/campaign.ts";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldValues } from "#app/ui/form/form-values.ts";

/** The field `geolocations`. */
export function GeolocationFields({ values, errors }: FieldsProps) {
  return (
    <ChoiceField
      type="checkbox"
      name="geolocations"
      label="Countries"
      hint="Leave empty to target all locations"
      columns
      options={geolocations.map((value) => ({ value, label: geolocationLabels[value] }))}
      selected={fieldValues(values, "geolocations")}
      errors={errors.geolocations}
    />
  );
}
