import { type AdFormat, adFormatLabels, adFormats } from "#app/domain/campaigns/campaign.ts";
import { ChoiceField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf, textOf } from "#app/ui/form/form-values.ts";

const hints: Record<AdFormat, string> = {
  display: "Banners on sites and in apps",
  video: "Before, during or after a video",
  native: "In the look of the page around it",
  social: "In the feed of a social network",
};

/** `ad_format` and `landing_url`. */
export function CreativeFields({ values, errors }: FieldsProps) {
  return (
    <>
      <ChoiceField
        type="radio"
        look="cards"
        name="ad_format"
        label="Ad format"
        required
        options={adFormats.map((value) => ({ value, label: adFormatLabels[value], hint: hints[value] }))}
        chosen={listOf(values, "ad_format")}
        errors={errors.ad_format}
      />
      <TextField
        name="landing_url"
        label="Landing page"
        hint="Where a click leads"
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        defaultValue={textOf(values, "landing_url")}
        errors={errors.landing_url}
      />
    </>
  );
}
