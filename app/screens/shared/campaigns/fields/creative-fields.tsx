import { type AdFormat, adFormatLabels, adFormats } from "#app/domain/campaigns/campaign.ts";
import { ChoiceField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText, fieldValues } from "#app/ui/form/form-values.ts";

const hints: Record<AdFormat, string> = {
  display: "Banners on sites and in apps",
  video: "Shown before, during or after a video",
  native: "Styled to match the page around it",
  social: "In social media feeds",
};

/** The fields `ad_format` and `landing_url`. */
export function CreativeFields({ values, errors }: FieldsProps) {
  return (
    <>
      <ChoiceField
        type="radio"
        variant="cards"
        name="ad_format"
        label="Ad format"
        required
        options={adFormats.map((value) => ({ value, label: adFormatLabels[value], hint: hints[value] }))}
        selected={fieldValues(values, "ad_format")}
        errors={errors.ad_format}
      />
      <TextField
        name="landing_url"
        label="Landing page"
        hint="Where people go when they click the ad"
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        defaultValue={fieldText(values, "landing_url")}
        errors={errors.landing_url}
      />
    </>
  );
}
