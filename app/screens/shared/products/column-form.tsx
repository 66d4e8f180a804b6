import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import {
  canDefaultCategory,
  canDeriveSku,
  dialectLabels,
  type ImportField,
  importFieldLabels,
  importFields,
  requiredFields,
} from "#app/domain/catalog/imports/catalog-import.ts";
import { productLimits } from "#app/domain/catalog/product.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField, SelectField, TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Card } from "#app/ui/layout.tsx";
import type { LoadedImport } from "./load-import.server.ts";

type Columns = NonNullable<LoadedImport["columns"]>;

/** Which column each field is read from, and what may be made up. Both count for this file; the columns for the next one too. */
export function ColumnForm({
  shown,
  columns,
  categories,
  refused,
  checks,
}: {
  shown: LoadedImport["shown"];
  columns: Columns;
  categories: readonly string[];
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const busy = useNavigation().formData?.get("intent") === "read-again";
  const { dialect } = shown;
  return (
    <Card title="Columns">
      <Form method="post" {...form.props} preventScrollReset className="form-grid">
        <p className="hint">
          {`${columns.found.length} columns were found. What you choose is remembered for the next file of this kind${dialect ? ` (${dialectLabels[dialect]})` : ""}.`}
        </p>
        {importFields.map((field) => (
          <ColumnChoice key={field} field={field} columns={columns} />
        ))}
        {canDeriveSku(dialect) ? (
          <CheckboxField
            name="derive_sku"
            label="Derive a SKU for rows without one"
            hint={dialect === "woocommerce" ? "From the product's number: wc-743" : "From handle and options: mug-blue"}
            defaultChecked={shown.deriveSku}
          />
        ) : null}
        {canDefaultCategory(dialect) ? (
          <>
            <TextField
              name="default_category"
              label="Category for rows without one"
              hint="Empty: such rows are rejected"
              list="categories"
              maxLength={productLimits.category}
              autoComplete="off"
              defaultValue={shown.defaultCategory ?? ""}
              errors={fields.errors.default_category}
            />
            <datalist id="categories">
              {categories.map((category) => (
                <option key={category} value={category} />
              ))}
            </datalist>
          </>
        ) : null}
        <div className="actions justify-end">
          <Button
            name="intent"
            value="read-again"
            variant={columns.missing.length > 0 ? "primary" : "secondary"}
            busy={busy}
            busyLabel="Reading again..."
          >
            Read again
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function ColumnChoice({ field, columns }: { field: ImportField; columns: Columns }) {
  const chosen = columns.chosen[field];
  const isChosen = typeof chosen === "string" && columns.found.some(({ name }) => name === chosen);
  const required = requiredFields.includes(field);
  const read = columns.read[field] ?? [];
  const automatic = isChosen || chosen === null ? "Automatic" : read.join(", else ") || "Not in the file";
  return (
    <SelectField
      name={`column_${field}`}
      label={importFieldLabels[field]}
      required={required}
      emptyLabel={columns.missing.includes(field) ? "Choose a column" : automatic}
      options={[
        ...(required ? [] : [{ value: "-", label: "Leave out" }]),
        ...columns.found.map(({ name, example }) => ({ value: name, label: example ? `${name}: ${example}` : name })),
      ]}
      defaultValue={chosen === null ? "-" : isChosen ? chosen : ""}
      errors={columns.missing.includes(field) ? ["No column was found"] : undefined}
    />
  );
}
