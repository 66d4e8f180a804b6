import type { ReactNode } from "react";
import { refreshFrequencies, refreshFrequencyLabels, segmentLabels, segments } from "#app/domain/audiences/audience.ts";
import { MoneyField, SelectField, TextareaField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** What a publisher says of an audience; `children` is the field for where its people come from. */
export function AudienceFields({
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
        defaultValue={textOf(values, "name")}
        errors={errors.name}
      />
      <TextareaField
        name="description"
        label="Description"
        hint="Advertisers read it when they choose: who these people are, and over what time"
        rows={3}
        maxLength={2_000}
        defaultValue={textOf(values, "description")}
        errors={errors.description}
      />
      <div className="form-grid form-grid-2">
        <SelectField
          name="segment"
          label="Segment"
          required
          emptyLabel="Choose a segment"
          options={segments.map((value) => ({ value, label: segmentLabels[value] }))}
          defaultValue={textOf(values, "segment")}
          errors={errors.segment}
        />
        <TextField
          name="estimated_size"
          label="Estimated size"
          hint="A guess for you alone: advertisers see the real size"
          inputMode="numeric"
          autoComplete="off"
          placeholder="25,000"
          defaultValue={textOf(values, "estimated_size")}
          errors={errors.estimated_size}
        />
        <MoneyField
          name="cpm_rate"
          label="CPM rate"
          hint="US dollars per 1,000 impressions"
          type="number"
          min={0}
          step={0.01}
          placeholder="5.00"
          defaultValue={textOf(values, "cpm_rate")}
          errors={errors.cpm_rate}
        />
        <SelectField
          name="refresh_frequency"
          label="Refresh frequency"
          hint="How often you mean to send new data"
          options={refreshFrequencies.map((value) => ({ value, label: refreshFrequencyLabels[value] }))}
          defaultValue={textOf(values, "refresh_frequency") || "weekly"}
          errors={errors.refresh_frequency}
        />
        {children}
        <div className={children ? undefined : "sm:col-span-2"}>
          <CountryField values={values} errors={errors} countries={countries} />
        </div>
      </div>
    </>
  );
}

type CountryProps = { countries: readonly { code: string; name: string }[] };

/** How phones without a country are read. */
function CountryField({ values, errors, countries }: FieldsProps & CountryProps) {
  return (
    <SelectField
      name="default_country"
      label="Country of phone numbers"
      hint="For numbers without + and without a country column; none is ever guessed"
      emptyLabel="None: such numbers are invalid"
      options={countries.map(({ code, name }) => ({ value: code, label: name }))}
      defaultValue={textOf(values, "default_country")}
      errors={errors.default_country}
    />
  );
}
