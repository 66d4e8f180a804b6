import { templateFields } from "#app/domain/catalog/template-fields.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Card } from "#app/ui/layout.tsx";

/** What the columns of a file may be, and which must be there (specification, section 2). */
export function FieldList() {
  return (
    <Card title="Fields">
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
