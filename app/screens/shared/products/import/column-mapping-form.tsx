import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import {
  canDefaultCategory,
  canDeriveSku,
  catalogCurrency,
  describeDerivedSku,
  dialectLabels,
  type ImportField,
  importCurrencies,
  importFieldLabels,
  importFields,
  requiredFields,
} from "#app/domain/catalog/imports/catalog-import.ts";
import { productLimits } from "#app/domain/catalog/product.ts";
import {
  encodingSourceLabels,
  type TextEncoding,
  textEncodingLabels,
  textEncodings,
} from "#app/sheets/text/encodings.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField, SelectField, TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import type { LoadedImport } from "./load-import.server.ts";

type Columns = NonNullable<LoadedImport["columns"]>;

/** The currencies of most stores; others are named in the file. */
const currencies = ["USD", ...importCurrencies].map((code) => ({ value: code, label: currencyLabel(code) }));

function currencyLabel(code: string): string {
  return `${code} – ${new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code}`;
}

function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join("")}…` : text;
}

/** Maps fields to columns and sets defaults for missing ones. Both apply to this file; the mapping is also remembered for the next one. */
export function ColumnMappingForm({
  shown,
  columns,
  categories,
  rejected,
  checks,
}: {
  shown: LoadedImport["shown"];
  columns: Columns;
  categories: readonly string[];
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const busy = useNavigation().formData?.get("intent") === "read-again";
  const { dialect } = shown;
  return (
    <Card title="Columns">
      <Form method="post" {...form.props} preventScrollReset className="form-grid">
        <p className="hint">
          {`${pluralize(columns.found.length, "column")} found. Your choices are remembered for the next file of this type${dialect ? ` (${dialectLabels[dialect]})` : ""}.`}
        </p>
        {importFields.map((field) => (
          <ColumnChoice key={field} field={field} columns={columns} />
        ))}
        {canDeriveSku(dialect) ? (
          <CheckboxField
            name="derive_sku"
            label="Generate a SKU for rows without one"
            hint={describeDerivedSku(dialect) ?? undefined}
            defaultChecked={shown.deriveSku}
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
        <SelectField
          name="currency"
          label="Currency"
          hint={`Applies to prices that name none. Only ${catalogCurrency} can be imported: prices are never converted.`}
          emptyLabel={`${catalogCurrency}, unless the file names another`}
          options={currencies}
          defaultValue={shown.currency ?? ""}
          errors={fields.errors.currency}
        />
        {shown.imageBase !== null || hasImageNames(columns) ? (
          <TextField
            name="image_base"
            type="url"
            label="Address of the images"
            hint="The file names images without an address. Enter where they are, such as https://shop.example/media"
            maxLength={500}
            autoComplete="off"
            defaultValue={shown.imageBase ?? ""}
            errors={fields.errors.image_base}
          />
        ) : null}
        <HeaderRowChoice shown={shown} errors={fields.errors.header_row} />
        <EncodingChoice shown={shown} errors={fields.errors.encoding} />
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

/** Whether the first images are file names instead of URLs. */
function hasImageNames({ read, found }: Columns): boolean {
  const names = read.image ?? [];
  return found.some(({ name, examples }) => names.includes(name) && examples.some((one) => !/^https?:/i.test(one)));
}

/** The first rows of the file, to choose the one with the names of the columns. */
function HeaderRowChoice({ shown, errors }: { shown: LoadedImport["shown"]; errors: readonly string[] | undefined }) {
  const { firstRows, headerRow, chosenHeaderRow } = shown;
  if (firstRows.length < 2) return null;
  return (
    <SelectField
      name="header_row"
      label="Row with the column names"
      hint="Rows above it are not read"
      emptyLabel={chosenHeaderRow === null && headerRow !== null ? `Automatic: row ${headerRow}` : "Automatic"}
      options={firstRows.map(({ row, text }) => ({ value: String(row), label: `Row ${row}: ${shorten(text, 60)}` }))}
      defaultValue={chosenHeaderRow ?? ""}
      errors={errors}
    />
  );
}

/** Text of single bytes has no lines in UTF-16, and the other way around. */
function offeredEncodings(read: TextEncoding): readonly TextEncoding[] {
  const isUtf16 = (encoding: TextEncoding) => encoding.startsWith("utf-16");
  return textEncodings.filter((encoding) => isUtf16(encoding) === isUtf16(read));
}

/** The encodings of a text whose letters depend on it, each with the first values as it would read them. */
function EncodingChoice({ shown, errors }: { shown: LoadedImport["shown"]; errors: readonly string[] | undefined }) {
  const { encoding: read, chosenEncoding } = shown;
  if (!read || read.source === "mark" || (Object.keys(read.samples).length === 0 && read.source !== "chosen"))
    return null;
  return (
    <SelectField
      name="encoding"
      label="Text encoding"
      hint={`Read as ${textEncodingLabels[read.encoding]}, ${encodingSourceLabels[read.source]}. If letters look wrong, choose the encoding that shows them right.`}
      emptyLabel="Detect automatically"
      options={offeredEncodings(read.encoding).map((value) => {
        const sample = read.samples[value];
        return { value, label: sample ? `${textEncodingLabels[value]}: ${sample}` : textEncodingLabels[value] };
      })}
      defaultValue={chosenEncoding ?? ""}
      errors={errors}
    />
  );
}

/** The first values of the field's columns, and whether the columns were guessed. */
function describeReading({ read, found, guessed }: Columns, field: ImportField): string | undefined {
  const names = read[field] ?? [];
  if (names.length === 0) return undefined;
  const values = found.filter(({ name }) => names.includes(name)).flatMap(({ examples }) => examples);
  const examples =
    values.length > 0 ? values.map((value) => shorten(value, 24)).join(" · ") : "empty in the first rows";
  return guessed.includes(field) ? `Guessed by the column's name: ${examples}` : `Such as: ${examples}`;
}

function ColumnChoice({ field, columns }: { field: ImportField; columns: Columns }) {
  const chosen = columns.chosen[field];
  const isChosen = typeof chosen === "string" && columns.found.some(({ name }) => name === chosen);
  const required = requiredFields.includes(field);
  const read = columns.read[field] ?? [];
  const automatic = isChosen || chosen === null ? "Automatic" : read.join(", then ") || "Not in the file";
  return (
    <SelectField
      name={`column_${field}`}
      label={importFieldLabels[field]}
      hint={describeReading(columns, field)}
      required={required}
      emptyLabel={columns.missing.includes(field) ? "Choose a column" : automatic}
      options={[
        ...(required ? [] : [{ value: "-", label: "Don't import" }]),
        ...columns.found.map(({ name, examples: [example] }) => ({
          value: name,
          label: example ? `${name}: ${example}` : name,
        })),
      ]}
      defaultValue={chosen === null ? "-" : isChosen ? chosen : ""}
      errors={columns.missing.includes(field) ? ["No matching column. Choose one."] : undefined}
    />
  );
}
