import { minimumAudienceSize } from "#app/domain/audiences/audience.ts";
import { formatCount } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Card } from "#app/ui/page-header.tsx";

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
