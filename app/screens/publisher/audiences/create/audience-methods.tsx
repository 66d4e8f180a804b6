import { Link } from "@remix-run/react";
import { FileUp, type LucideIcon, Plug, Webhook } from "lucide-react";
import type { AudienceMethod } from "#app/screens/publisher/audiences/audience-form-schema.ts";

const methods: { value: AudienceMethod; label: string; hint: string; icon: LucideIcon }[] = [
  { value: "file", label: "File upload", hint: "CSV, XLSX, XLS or ODS, up to 100MB per file", icon: FileUp },
  { value: "api", label: "API integration", hint: "Setup takes 1-2 business days", icon: Webhook },
  { value: "direct", label: "Direct integration", hint: "Direct integration requires an enterprise plan", icon: Plug },
];

/** The three ways to add people, as links. */
export function AudienceMethods({ method }: { method: AudienceMethod }) {
  return (
    <nav aria-label="Upload method">
      <ul className="choices">
        {methods.map(({ value, label, hint, icon: Icon }) => (
          <li key={value} className="grid">
            <Link
              to={`?method=${value}`}
              preventScrollReset
              className="choice choice-link"
              aria-current={value === method ? "true" : undefined}
            >
              <Icon className="icon mt-0.5" aria-hidden />
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
