import { templateFields } from "#app/domain/catalog/template-fields.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** The columns that a file may have, and the required ones. */
export function ImportFieldList() {
  return (
    <Card title="Fields in the file">
      <ul className="field-list">
        {templateFields.map(({ name, label, required, hint }) => (
          <li key={name}>
            <div>
              <strong>{label}</strong> <code>{name}</code>
              <p className="hint">{`${hint.charAt(0).toUpperCase()}${hint.slice(1)}`}</p>
            </div>
            <Badge tone={required ? "accent" : "neutral"} dot={false}>
              {required ? "Required" : "Optional"}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}
