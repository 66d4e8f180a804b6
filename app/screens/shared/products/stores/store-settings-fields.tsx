import { productLimits } from "#app/domain/catalog/product.ts";
import { syncFrequencies, syncFrequencyLabels } from "#app/domain/catalog/stores/store.ts";
import { CheckboxField, SelectField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** How often a store is imported, and its defaults for missing fields. */
export function StoreSettingsFields({ values, errors, derivesSku }: FieldsProps & { derivesSku: boolean }) {
  return (
    <>
      <SelectField
        name="frequency"
        label="Sync schedule"
        hint="Each sync overwrites your edits with the store's data and adds deleted products again"
        options={syncFrequencies.map((value) => ({ value, label: syncFrequencyLabels[value] }))}
        defaultValue={fieldText(values, "frequency") || "daily"}
        errors={errors.frequency}
      />
      <TextField
        name="default_category"
        label="Category for products without one"
        hint="If empty, products without a category are rejected"
        maxLength={productLimits.category}
        autoComplete="off"
        defaultValue={fieldText(values, "default_category")}
        errors={errors.default_category}
      />
      <CheckboxField
        name="derive_sku"
        label="Generate a SKU for products without one"
        hint="Based on the handle and options, or on the product ID"
        defaultChecked={derivesSku}
        errors={errors.derive_sku}
      />
    </>
  );
}
