import { uploadLimits } from "#app/domain/audiences/audience.ts";
import { textEncodingLabels, textEncodings } from "#app/sheets/text/encodings.ts";
import { DropZone } from "#app/ui/drop-zone.tsx";
import { CheckboxField, SelectField } from "#app/ui/field.tsx";
import { FileField } from "#app/ui/file-field.tsx";

/** The files of an upload. The field must be last in its form, because files are read as they arrive. */
export function AudienceFilesField({ errors, hint }: { errors?: readonly string[]; hint?: string }) {
  return (
    <DropZone>
      <FileField
        name="file"
        label="Customer files"
        hint={
          hint ??
          `CSV, XLSX, XLS, ODS, TXT or TSV, also packed as .gz or .zip. Up to 100MB per file, ${uploadLimits.files} files at a time.`
        }
        multiple
        accept=".csv,.txt,.tsv,.xlsx,.xls,.ods,.gz,.zip"
        errors={errors}
      />
    </DropZone>
  );
}

/** The statement that lets people in who opted out; off unless the uploader makes it. It is sent before the files. */
export function OptOutsField({ defaultChecked = false }: { defaultChecked?: boolean }) {
  return (
    <CheckboxField
      name="include_opt_outs"
      label="Import people who opted out of marketing too. I confirm that we may use their data for advertising."
      hint="Otherwise their rows are left out and counted in the report. Your choice is recorded in the activity."
      defaultChecked={defaultChecked}
    />
  );
}

/** The encoding of text files. It is sent before the files. */
export function EncodingField({ defaultValue = "" }: { defaultValue?: string }) {
  return (
    <SelectField
      name="encoding"
      label="Text encoding"
      hint="Choose one if letters such as é or я came out wrong. Spreadsheets and files with a byte-order mark don't need it."
      emptyLabel="Detect automatically"
      options={textEncodings.map((value) => ({ value, label: textEncodingLabels[value] }))}
      defaultValue={defaultValue}
    />
  );
}
