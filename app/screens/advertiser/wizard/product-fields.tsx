import { ImagePlus, Package } from "lucide-react";
import { formatCents } from "#app/domain/money.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf } from "#app/ui/form/form-values.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { FindBox } from "./find-box.tsx";
import type { StepChoices } from "./step-choices.ts";
import { moreThanListed } from "./steps.ts";

/** `selected_products`, once the campaign has a creative. */
export function ProductFields({ values, errors, choices }: FieldsProps & { choices: StepChoices }) {
  const chosen = listOf(values, "selected_products");
  if (!choices.hasCreative) {
    return (
      <Card title="Products">
        <EmptyState
          icon={ImagePlus}
          title="Add a creative first"
          action={
            <Button name="intent" value="find">
              Save and choose products
            </Button>
          }
        >
          Products can be chosen once the campaign has a creative.
        </EmptyState>
      </Card>
    );
  }
  if (choices.products.length === 0 && !choices.find) {
    return (
      <Card title="Products">
        <EmptyState icon={Package} title="No products yet">
          Your product catalog is empty. A campaign can be launched without products.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Products" aside={<span className="hint">{formatCount(chosen.length)} selected</span>}>
      <div className="form-grid">
        <FindBox
          label="Search products by name or SKU"
          find={choices.find}
          hint={choices.more ? moreThanListed : undefined}
        />
        <ChoiceField
          type="checkbox"
          look="rows"
          name="selected_products"
          label="Products to show"
          hint={choices.products.length === 0 ? "No products found" : undefined}
          options={choices.products.map(({ id, name, sku, priceCents }) => ({
            value: id,
            label: name,
            hint: sku,
            figures: priceCents === undefined ? [] : [{ value: formatCents(priceCents) }],
          }))}
          chosen={chosen}
          errors={errors.selected_products}
        />
      </div>
    </Card>
  );
}
