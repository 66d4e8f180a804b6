import { Check } from "lucide-react";
import { minimumAudienceSize, uploadLimits } from "#app/domain/audiences/audience.ts";
import { FileField } from "#app/ui/file-field.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";

/** The files of an upload. It stands last in its form: they are read as they arrive. */
export function AudienceFileField({ errors, hint }: { errors?: readonly string[]; hint?: string }) {
  return (
    <FileField
      name="file"
      label="Customer files"
      hint={hint ?? `CSV, XLSX or XLS (also TXT and TSV), up to 100MB each, at most ${uploadLimits.files} at once`}
      multiple
      accept=".csv,.txt,.tsv,.xlsx,.xls"
      errors={errors}
    />
  );
}

/** What to put into a file (specification, section 5), and what is done with it. */
export function DataGuidance() {
  return (
    <Card title="Data guidance">
      <ul className="checklist">
        {guidance.map(({ title, text }) => (
          <li key={title}>
            <Check aria-hidden />
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
    text: "Plain addresses and phone numbers are taken too: they are hashed as they arrive and never stored.",
  },
  {
    title: "Remove personal data",
    text: "Names, addresses and the like are not needed. Other columns are dropped, and the report names them.",
  },
  {
    title: `Minimum ${formatCount(minimumAudienceSize)} records`,
    text: "Distinct people over all files of the audience. You can save fewer and add the rest later.",
  },
  {
    title: "A header for each column",
    text: "Such as email, phone, email_sha256 or country. Duplicates are counted once.",
  },
];
