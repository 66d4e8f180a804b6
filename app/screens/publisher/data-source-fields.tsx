import { comingConnectors, connectors, dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf } from "#app/ui/form/form-values.ts";
import { Notice } from "#app/ui/notice.tsx";

/** Which program the data lies in, with the state of each as it is. */
export function ConnectorFields({
  values,
  errors,
  connections,
}: FieldsProps & { connections: readonly { program: string; problem: string | null }[] }) {
  const chosen = listOf(values, "data_source");
  return (
    <>
      <ChoiceField
        type="radio"
        look="cards"
        name="data_source"
        label="Data source"
        required
        options={connectors.map((value) => ({
          value,
          label: dataSourceLabels[value],
          hint: hintOf(value, connections),
        }))}
        chosen={chosen.length > 0 ? chosen : ["salesforce"]}
        errors={errors.data_source}
      />
      <ul className="choices" aria-label="Coming soon">
        {comingConnectors.map((name) => (
          <li key={name} className="choice choice-off">
            <span className="flex-1 font-semibold">{name}</span>
            <Badge dot={false}>Coming soon</Badge>
          </li>
        ))}
      </ul>
      <Notice title="The list is chosen on the new audience's page">
        A program that is not connected yet is connected from there. Files and the API work for every audience too.
      </Notice>
    </>
  );
}

function hintOf(
  source: (typeof connectors)[number],
  connections: readonly { program: string; problem: string | null }[],
): string {
  if (source === "segment") return "Sends by itself, to the API";
  const connection = connections.find(({ program }) => program === source);
  if (!connection) return "Not connected yet";
  return connection.problem ? "Needs attention" : "Connected";
}
