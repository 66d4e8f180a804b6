import { type ImportField, importFieldLabels, requiredFields } from "#app/domain/catalog/imports/catalog-import.ts";
import { shortenText } from "#app/domain/shorten-text.ts";
import { SelectField } from "#app/ui/field.tsx";
import type { ColumnChoices } from "./load-import.server.ts";

/** `selected` is the option that is selected at first; the texts describe how the file was read. */
export function ColumnChoice({
  field,
  columns,
  selected,
}: {
  field: ImportField;
  columns: ColumnChoices;
  selected: string;
}) {
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

/** The name of the form field for the column of a product field. */
export function columnFieldName(field: ImportField): string {
  return `column_${field}`;
}

/** Returns the option of the chosen column; empty if none is chosen, or one that the file does not have. */
export function storedColumn({ chosen, found }: ColumnChoices, field: ImportField): string {
  const column = chosen[field];
  if (column === null) return "-";
  return column !== undefined && found.some(({ name }) => name === column) ? column : "";
}

/** The first values of the field's columns, and whether the columns were guessed. */
function describeReading({ read, found, guessed }: ColumnChoices, field: ImportField): string | undefined {
  const names = read[field] ?? [];
  if (names.length === 0) return undefined;
  const values = found.filter(({ name }) => names.includes(name)).flatMap(({ examples }) => examples);
  const examples =
    values.length > 0 ? values.map((value) => shortenText(value, 24)).join(" · ") : "empty in the first rows";
  return guessed.includes(field) ? `Guessed by the column's name: ${examples}` : `Such as: ${examples}`;
}
