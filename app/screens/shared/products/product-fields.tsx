import { productLimits } from "#app/domain/catalog/product.ts";
import { MoneyField, TextareaField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";

/** All that a product says; name, SKU, category and price are required. */
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
          defaultValue={textOf(values, "name")}
          errors={errors.name}
        />
      </div>
      <TextField
        name="sku"
        label="SKU"
        hint="Your own number of the article; imports find the product by it"
        required
        maxLength={productLimits.sku}
        autoComplete="off"
        spellCheck={false}
        defaultValue={textOf(values, "sku")}
        errors={errors.sku}
      />
      <TextField
        name="category"
        label="Category"
        hint="One you have, or a new one"
        required
        list="categories"
        maxLength={productLimits.category}
        autoComplete="off"
        defaultValue={textOf(values, "category")}
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
        hint="US dollars"
        required
        placeholder="49.90"
        defaultValue={textOf(values, "price")}
        errors={errors.price}
      />
      <TextField
        name="inventory"
        label="Inventory count"
        hint="Empty means unknown. Under 10 is Low Stock"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={textOf(values, "inventory")}
        errors={errors.inventory}
      />
      <TextField
        name="brand"
        label="Brand"
        maxLength={productLimits.brand}
        autoComplete="off"
        defaultValue={textOf(values, "brand")}
        errors={errors.brand}
      />
      <TextField
        name="group"
        label="Group"
        hint="The same for all variants of one product"
        maxLength={productLimits.group}
        autoComplete="off"
        defaultValue={textOf(values, "group")}
        errors={errors.group}
      />
      <div className="sm:col-span-2">
        <TextField
          name="image"
          label="Image URL"
          hint="The address of a picture on the web"
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={productLimits.image}
          autoComplete="off"
          defaultValue={textOf(values, "image")}
          errors={errors.image}
        />
      </div>
      <div className="sm:col-span-2">
        <TextareaField
          name="description"
          label="Description"
          rows={4}
          maxLength={productLimits.description}
          defaultValue={textOf(values, "description")}
          errors={errors.description}
        />
      </div>
    </div>
  );
}
