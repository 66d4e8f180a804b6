import { formatCents } from "#app/domain/money.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldValues } from "#app/ui/form/form-values.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { SearchField } from "./search-field.tsx";
import type { StepOptions } from "./step-options.ts";
import { listTruncatedHint } from "./steps.ts";

/** The field `selected_products`, shown once the campaign has a creative. */
export function StepProductFields({ values, errors, choices }: FieldsProps & { choices: StepOptions }) {
  const chosen = fieldValues(values, "selected_products");
  if (!choices.hasCreative) {
    return (
      <Card title="Products">
        <EmptyState
          icon="image-plus"
          title="Add a creative first"
          action={
            <Button name="intent" value="find">
              Save and choose products
            </Button>
          }
        >
          Upload a creative to choose products.
        </EmptyState>
      </Card>
    );
  }
  if (choices.products.length === 0 && !choices.find) {
    return (
      <Card title="Products">
        <EmptyState icon="package" title="No products yet">
          Your product catalog is empty. You can launch a campaign without products.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Products" aside={<span className="hint">{formatCount(chosen.length)} selected</span>}>
      <div className="form-grid">
        <SearchField
          label="Search products by name or SKU"
          find={choices.find}
          hint={choices.more ? listTruncatedHint : undefined}
        />
        <ChoiceField
          type="checkbox"
          variant="rows"
          name="selected_products"
          label="Products to feature"
          hint={choices.products.length === 0 ? "No products found" : undefined}
          options={choices.products.map(({ id, name, sku, priceCents }) => ({
            value: id,
            label: name,
            hint: sku,
            figures: priceCents === undefined ? [] : [{ value: formatCents(priceCents) }],
          }))}
          selected={chosen}
          errors={errors.selected_products}
        />
      </div>
    </Card>
  );
}
