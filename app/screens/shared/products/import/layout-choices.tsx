import { shortenText } from "#app/domain/shorten-text.ts";
import {
  encodingSourceLabels,
  type TextEncoding,
  textEncodingLabels,
  textEncodings,
} from "#app/sheets/text/encodings.ts";
import { SelectField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";
import type { LoadedImport } from "./load-import.server.ts";

/** The first rows of the file, to choose the one with the names of the columns. */
export function HeaderRowChoice({ shown, values, errors }: FieldsProps & { shown: LoadedImport["shown"] }) {
  const { firstRows, headerRow, chosenHeaderRow } = shown;
  if (firstRows.length < 2) return null;
  return (
    <SelectField
      name="header_row"
      label="Row with the column names"
      hint="Rows above it are not read"
      emptyLabel={chosenHeaderRow === null && headerRow !== null ? `Automatic: row ${headerRow}` : "Automatic"}
      options={firstRows.map(({ row, text }) => ({
        value: String(row),
        label: `Row ${row}: ${shortenText(text, 60)}`,
      }))}
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
export function EncodingChoice({ shown, values, errors }: FieldsProps & { shown: LoadedImport["shown"] }) {
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
