import { geolocationLabels, geolocations } from "#app/domain/campaigns/campaign.ts";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf } from "#app/ui/form/form-values.ts";

/** `geolocations`. */
export function GeolocationFields({ values, errors }: FieldsProps) {
  return (
    <ChoiceField
      type="checkbox"
      name="geolocations"
      label="Countries"
      hint="None chosen means all locations"
      columns
      options={geolocations.map((value) => ({ value, label: geolocationLabels[value] }))}
      chosen={listOf(values, "geolocations")}
      errors={errors.geolocations}
    />
  );
}
