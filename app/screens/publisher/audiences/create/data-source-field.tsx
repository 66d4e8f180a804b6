import { dataSourceLabels, directIntegrations, upcomingIntegrations } from "#app/domain/audiences/data-source.ts";
import { Badge } from "#app/ui/badge.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldValues } from "#app/ui/form/form-values.ts";
import { Notice } from "#app/ui/notice.tsx";

/** Selects the integration, and shows the connection status of each. */
export function DataSourceField({
  values,
  errors,
  connections,
}: FieldsProps & { connections: readonly { integration: string; problem: string | null }[] }) {
  const chosen = fieldValues(values, "data_source");
  return (
    <>
      <ChoiceField
        type="radio"
        variant="cards"
        name="data_source"
        label="Data source"
        required
        options={directIntegrations.map((value) => ({
          value,
          label: dataSourceLabels[value],
          mark: <BrandMark brand={value} />,
          hint: hintOf(value, connections),
        }))}
        selected={chosen.length > 0 ? chosen : ["salesforce"]}
        errors={errors.data_source}
      />
      <ul className="choices" aria-label="Coming soon">
        {upcomingIntegrations.map((name) => (
          <li key={name} className="choice choice-disabled">
            <span className="flex-1 font-semibold">{name}</span>
            <Badge dot={false}>Coming soon</Badge>
          </li>
        ))}
      </ul>
      <Notice title="Choose the list after you create the audience">
        If the integration isn't connected yet, you can connect it from the audience page. Every audience also accepts
        files and API requests.
      </Notice>
    </>
  );
}

function hintOf(
  source: (typeof directIntegrations)[number],
  connections: readonly { integration: string; problem: string | null }[],
): string {
  if (source === "segment") return "Sends people to our API";
  const connection = connections.find(({ integration }) => integration === source);
  if (!connection) return "Not connected yet";
  return connection.problem ? "Needs attention" : "Connected";
}
