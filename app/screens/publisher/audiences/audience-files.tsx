import { minimumAudienceSize, uploadLimits } from "#app/domain/audiences/audience.ts";
import { textEncodingLabels, textEncodings } from "#app/sheets/text/encodings.ts";
import { DropZone } from "#app/ui/drop-zone.tsx";
import { CheckboxField, SelectField } from "#app/ui/field.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Card } from "#app/ui/page-header.tsx";

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

/** What a file should contain, and how it is processed. */
export function DataGuidance() {
  return (
    <Card title="Data guidance">
      <ul className="check-list check-list-sm">
        {guidance.map(({ title, text }) => (
          <li key={title}>
            <Icon name="check" />
            <div>
              <strong className="text-ink font-semibold">{title}</strong>
              <p className="hint">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const guidance = [
  {
    title: "Hashed e-mail addresses (SHA-256)",
    text: "Plain email addresses and phone numbers also work. They are hashed on arrival and never stored.",
  },
  {
    title: "Remove personal data",
    text: "Names, postal addresses and similar data are not needed. Other columns are dropped and listed in the report, unless you choose them there.",
  },
  {
    title: `Minimum ${formatCount(minimumAudienceSize)} records`,
    text: "Distinct people across all files. You can start with fewer and add more later.",
  },
  {
    title: "People who opted out",
    text: "Include columns such as Accepts Email Marketing or Unsubscribed. Rows that say no are left out.",
  },
  {
    title: "Column headers",
    text: "Use headers such as email, phone, email_sha256 or country, or choose what each column holds in the report. Duplicates count once.",
  },
];
