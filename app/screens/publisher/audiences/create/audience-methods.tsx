import type { AudienceMethod } from "#app/screens/publisher/audiences/audience-form-schema.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { Link } from "#app/ui/link.tsx";

const methods: { value: AudienceMethod; label: string; hint: string; icon: IconName }[] = [
  { value: "file", label: "File upload", hint: "CSV, XLSX, XLS or ODS, up to 100MB per file", icon: "file-up" },
  { value: "api", label: "API integration", hint: "Setup takes 1-2 business days", icon: "webhook" },
  {
    value: "direct",
    label: "Direct integration",
    hint: "Direct integration requires an enterprise plan",
    icon: "plug",
  },
];

/** The three ways to add people, as links. */
export function AudienceMethods({ method }: { method: AudienceMethod }) {
  return (
    <nav aria-label="Upload method">
      <ul className="choices">
        {methods.map(({ value, label, hint, icon }) => (
          <li key={value} className="grid">
            <Link
              to={`?method=${value}`}
              preventScrollReset
              className="choice choice-link"
              aria-current={value === method ? "true" : undefined}
            >
              <Icon name={icon} className="icon mt-0.5" />
              <span>
                <strong>{label}</strong>
                <small>{hint}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
