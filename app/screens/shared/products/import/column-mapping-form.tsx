import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import {
  canDefaultCategory,
  canDeriveSku,
  catalogCurrency,
  describeDerivedSku,
  dialectLabels,
  importCurrencies,
  importFields,
} from "#app/domain/catalog/imports/catalog-import.ts";
import { productLimits } from "#app/domain/catalog/product.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField, SelectField, TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { type FormValues, fieldText, rejectionOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { ColumnChoice, columnFieldName, storedColumn } from "./column-choice.tsx";
import { EncodingChoice, HeaderRowChoice } from "./layout-choices.tsx";
import type { ColumnChoices, LoadedImport } from "./load-import.server.ts";

/** The currencies of most stores; others are named in the file. */
const currencies = ["USD", ...importCurrencies].map((code) => ({ value: code, label: currencyLabel(code) }));

function currencyLabel(code: string): string {
  return `${code} – ${new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code}`;
}

/**
 * Maps fields to columns and sets defaults for missing ones. Both apply to this file; the mapping is also remembered
 * for the next one.
 */
export function ColumnMappingForm({
  shown,
  columns,
  categories,
  rejected,
  checks,
}: {
  shown: LoadedImport["shown"];
  columns: ColumnChoices;
  categories: readonly string[];
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({
    checks,
    rejected: rejectionOf(rejected, "read-again"),
    stored: storedChoices(shown, columns),
  });
  const { values, errors } = fields;
  const busy = useNavigation().formData?.get("intent") === "read-again";
  const { dialect } = shown;
  return (
    <Card title="Columns">
      <Form method="post" {...form.props} preventScrollReset className="form-grid">
        <p className="hint">
          {`${pluralize(columns.found.length, "column")} found. Your choices are remembered for the next file of this type${dialect ? ` (${dialectLabels[dialect]})` : ""}.`}
        </p>
        {importFields.map((field) => (
          <ColumnChoice
            key={field}
            field={field}
            columns={columns}
            selected={fieldText(values, columnFieldName(field))}
          />
        ))}
        {canDeriveSku(dialect) ? (
          <CheckboxField
            name="derive_sku"
            label="Generate a SKU for rows without one"
            hint={describeDerivedSku(dialect) ?? undefined}
            defaultChecked={values.derive_sku === "on"}
          />
        ) : null}
        {canDefaultCategory(dialect) ? (
          <>
            <TextField
              name="default_category"
              label="Category for rows without one"
              hint="If empty, rows without a category are rejected"
              list="categories"
              maxLength={productLimits.category}
              autoComplete="off"
              defaultValue={fieldText(values, "default_category")}
              errors={errors.default_category}
            />
            <datalist id="categories">
              {categories.map((category) => (
                <option key={category} value={category} />
              ))}
            </datalist>
          </>
        ) : null}
        <SelectField
          name="currency"
          label="Currency"
          hint={`Applies to prices that name none. Only ${catalogCurrency} can be imported: prices are never converted.`}
          emptyLabel={`${catalogCurrency}, unless the file names another`}
          options={currencies}
          defaultValue={fieldText(values, "currency")}
          errors={errors.currency}
        />
        {shown.imageBase !== null || hasImageNames(columns) ? (
          <TextField
            name="image_base"
            type="url"
            label="Address of the images"
            hint="The file names images without an address. Enter where they are, such as https://shop.example/media"
            maxLength={500}
            autoComplete="off"
            defaultValue={fieldText(values, "image_base")}
            errors={errors.image_base}
          />
        ) : null}
        <HeaderRowChoice {...fields} shown={shown} />
        <EncodingChoice {...fields} shown={shown} />
        <div className="actions">
          <Button
            name="intent"
            value="read-again"
            variant={columns.missing.length > 0 ? "primary" : "secondary"}
            busy={busy}
            busyLabel="Reading again..."
          >
            Apply and reread
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** Returns the values of the fields as the file was read. */
function storedChoices(shown: LoadedImport["shown"], columns: ColumnChoices): FormValues {
  return {
    derive_sku: shown.deriveSku ? "on" : "",
    default_category: shown.defaultCategory,
    currency: shown.currency,
    image_base: shown.imageBase,
    header_row: shown.chosenHeaderRow,
    encoding: shown.chosenEncoding,
    ...Object.fromEntries(importFields.map((field) => [columnFieldName(field), storedColumn(columns, field)])),
  };
}

/** Whether the first images are file names instead of URLs. */
function hasImageNames({ read, found }: ColumnChoices): boolean {
  const names = read.image ?? [];
  return found.some(({ name, examples }) => names.includes(name) && examples.some((one) => !/^https?:/i.test(one)));
}
