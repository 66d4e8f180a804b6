import { listingStatuses, productLimits, productStatusLabels } from "#app/domain/catalog/product.ts";
import { MoneyField, SelectField, TextareaField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";

/** Every field of a product; name, SKU, category and price are required. */
export function ProductFields({ values, errors, categories }: FieldsProps & { categories: readonly string[] }) {
  return (
    <div className="form-grid form-grid-2">
      <div className="sm:col-span-2">
        <TextField
          name="name"
          label="Product name"
          required
          maxLength={productLimits.name}
          autoComplete="off"
          defaultValue={fieldText(values, "name")}
          errors={errors.name}
        />
      </div>
      <TextField
        name="sku"
        label="SKU"
        hint="Your unique product code. Imports match products by SKU."
        required
        maxLength={productLimits.sku}
        autoComplete="off"
        spellCheck={false}
        defaultValue={fieldText(values, "sku")}
        errors={errors.sku}
      />
      <TextField
        name="category"
        label="Category"
        hint="Choose an existing category or enter a new one"
        required
        list="categories"
        maxLength={productLimits.category}
        autoComplete="off"
        defaultValue={fieldText(values, "category")}
        errors={errors.category}
      />
      <datalist id="categories">
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      <MoneyField
        name="price"
        label="Price"
        hint="In US dollars"
        required
        placeholder="49.90"
        defaultValue={fieldText(values, "price")}
        errors={errors.price}
      />
      <TextField
        name="inventory"
        label="Inventory count"
        hint="Leave empty if unknown. Below 10 shows as Low Stock."
        inputMode="numeric"
        autoComplete="off"
        defaultValue={fieldText(values, "inventory")}
        errors={errors.inventory}
      />
      <TextField
        name="brand"
        label="Brand"
        maxLength={productLimits.brand}
        autoComplete="off"
        defaultValue={fieldText(values, "brand")}
        errors={errors.brand}
      />
      <TextField
        name="group"
        label="Group"
        hint="Use the same value for all variants of a product"
        maxLength={productLimits.group}
        autoComplete="off"
        defaultValue={fieldText(values, "group")}
        errors={errors.group}
      />
      <SelectField
        name="listing_status"
        label="Status"
        hint="Only active products can be added to campaigns"
        options={listingStatuses.map((value) => ({ value, label: productStatusLabels[value] }))}
        defaultValue={fieldText(values, "listing_status") || "active"}
        errors={errors.listing_status}
      />
      <div className="sm:col-span-2">
        <TextField
          name="image"
          label="Image URL"
          hint="Must begin with https://"
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={productLimits.image}
          autoComplete="off"
          defaultValue={fieldText(values, "image")}
          errors={errors.image}
        />
      </div>
      <div className="sm:col-span-2">
        <TextareaField
          name="description"
          label="Description"
          rows={4}
          maxLength={productLimits.description}
          defaultValue={fieldText(values, "description")}
          errors={errors.description}
        />
      </div>
    </div>
  );
}
