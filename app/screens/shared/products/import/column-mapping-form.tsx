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
import { type FieldsProps, type FormValues, fieldText, rejectionOf } from "#app/ui/form/form-values.ts";
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
function storedChoices(shown: LoadedImport["shown"], columns: Columns): FormValues {
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

function columnFieldName(field: ImportField): string {
  return `column_${field}`;
}

/** Returns the option of the chosen column; empty if none is chosen, or one that the file does not have. */
function storedColumn({ chosen, found }: Columns, field: ImportField): string {
  const column = chosen[field];
  if (column === null) return "-";
  return column !== undefined && found.some(({ name }) => name === column) ? column : "";
}

/** Whether the first images are file names instead of URLs. */
function hasImageNames({ read, found }: Columns): boolean {
  const names = read.image ?? [];
  return found.some(({ name, examples }) => names.includes(name) && examples.some((one) => !/^https?:/i.test(one)));
}

/** The first rows of the file, to choose the one with the names of the columns. */
function HeaderRowChoice({ shown, values, errors }: FieldsProps & { shown: LoadedImport["shown"] }) {
  const { firstRows, headerRow, chosenHeaderRow } = shown;
  if (firstRows.length < 2) return null;
  return (
    <SelectField
      name="header_row"
      label="Row with the column names"
      hint="Rows above it are not read"
      emptyLabel={chosenHeaderRow === null && headerRow !== null ? `Automatic: row ${headerRow}` : "Automatic"}
      options={firstRows.map(({ row, text }) => ({ value: String(row), label: `Row ${row}: ${shorten(text, 60)}` }))}
      defaultValue={fieldText(values, "header_row")}
      errors={errors.header_row}
    />
  );
}

/** Text of single bytes has no lines in UTF-16, and the other way around. */
function offeredEncodings(read: TextEncoding): readonly TextEncoding[] {
  const isUtf16 = (encoding: TextEncoding) => encoding.startsWith("utf-16");
  return textEncodings.filter((encoding) => isUtf16(encoding) === isUtf16(read));
}

/** The encodings of a text whose letters depend on it, each with the first values as it would read them. */
function EncodingChoice({ shown, values, errors }: FieldsProps & { shown: LoadedImport["shown"] }) {
  const { encoding: read } = shown;
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
      defaultValue={fieldText(values, "encoding")}
      errors={errors.encoding}
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

/** `selected` is the option that is selected at first; the texts describe how the file was read. */
function ColumnChoice({ field, columns, selected }: { field: ImportField; columns: Columns; selected: string }) {
  const required = requiredFields.includes(field);
  const read = columns.read[field] ?? [];
  const automatic = storedColumn(columns, field) === "" ? read.join(", then ") || "Not in the file" : "Automatic";
  return (
    <SelectField
      name={columnFieldName(field)}
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
      defaultValue={selected}
      errors={columns.missing.includes(field) ? ["No matching column. Choose one."] : undefined}
    />
  );
}
