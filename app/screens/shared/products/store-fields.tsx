import { productLimits } from "#app/domain/catalog/product.ts";
import { syncFrequencies, syncFrequencyLabels } from "#app/domain/catalog/stores/store.ts";
import { CheckboxField, SelectField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** How often a shop is fetched, and what may be made up for it. */
export function StoreSettingsFields({ values, errors, derivesSku }: FieldsProps & { derivesSku: boolean }) {
  return (
    <>
      <SelectField
        name="frequency"
        label="Fetch products"
        options={syncFrequencies.map((value) => ({ value, label: syncFrequencyLabels[value] }))}
        defaultValue={textOf(values, "frequency") || "daily"}
        errors={errors.frequency}
      />
      <TextField
        name="default_category"
        label="Category for products without one"
        hint="Empty: such products are rejected"
        maxLength={productLimits.category}
        autoComplete="off"
        defaultValue={textOf(values, "default_category")}
        errors={errors.default_category}
      />
      <CheckboxField
        name="derive_sku"
        label="Derive a SKU for products without one"
        hint="Shopify: from handle and options. WooCommerce: from the product's number"
        defaultChecked={derivesSku}
        errors={errors.derive_sku}
      />
    </>
  );
}
