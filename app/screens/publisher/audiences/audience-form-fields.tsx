import type { ReactNode } from "react";
import { refreshFrequencies, refreshFrequencyLabels, segmentLabels, segments } from "#app/domain/audiences/audience.ts";
import { MoneyField, SelectField, TextareaField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";
import { ConsentFields } from "./consent-fields.tsx";

/** The fields that describe an audience; `children` is the field for the data source. */
export function AudienceFormFields({
  values,
  errors,
  countries,
  children,
}: FieldsProps & CountryProps & { children?: ReactNode }) {
  return (
    <>
      <TextField
        name="name"
        label="Audience name"
        required
        maxLength={120}
        autoComplete="off"
        placeholder="Weekend hikers"
        defaultValue={fieldText(values, "name")}
        errors={errors.name}
      />
      <TextareaField
        name="description"
        label="Description"
        hint="Shown to advertisers. Describe who these people are and the time period."
        rows={3}
        maxLength={2_000}
        defaultValue={fieldText(values, "description")}
        errors={errors.description}
      />
      <div className="form-grid form-grid-2">
        <SelectField
          name="segment"
          label="Segment"
          required
          emptyLabel="Choose a segment"
          options={segments.map((value) => ({ value, label: segmentLabels[value] }))}
          defaultValue={fieldText(values, "segment")}
          errors={errors.segment}
        />
        <TextField
          name="estimated_size"
          label="Estimated size"
          hint="For your reference only. Advertisers see the actual size."
          inputMode="numeric"
          autoComplete="off"
          placeholder="25,000"
          defaultValue={fieldText(values, "estimated_size")}
          errors={errors.estimated_size}
        />
        <MoneyField
          name="cpm_rate"
          label="CPM rate"
          hint="In US dollars per 1,000 impressions"
          type="number"
          min={0}
          step={0.01}
          placeholder="5.00"
          defaultValue={fieldText(values, "cpm_rate")}
          errors={errors.cpm_rate}
        />
        <SelectField
          name="refresh_frequency"
          label="Refresh frequency"
          hint="How often you plan to upload new data"
          options={refreshFrequencies.map((value) => ({ value, label: refreshFrequencyLabels[value] }))}
          defaultValue={fieldText(values, "refresh_frequency") || "weekly"}
          errors={errors.refresh_frequency}
        />
        {children}
        <div className={children ? undefined : "sm:col-span-2"}>
          <CountryField values={values} errors={errors} countries={countries} />
        </div>
      </div>
      <ConsentFields values={values} errors={errors} />
    </>
  );
}

type CountryProps = { countries: readonly { code: string; name: string }[] };

/** The country for phone numbers without a country code. */
function CountryField({ values, errors, countries }: FieldsProps & CountryProps) {
  return (
    <SelectField
      name="default_country"
      label="Country of phone numbers"
      hint="Used for numbers without + when the file has no country column"
      emptyLabel="Numbers without a country code are skipped"
      options={countries.map(({ code, name }) => ({ value: code, label: name }))}
      defaultValue={fieldText(values, "default_country")}
      errors={errors.default_country}
    />
  );
}
