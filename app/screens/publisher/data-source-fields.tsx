import { comingConnectors, connectors, dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { type FieldsProps, listOf } from "#app/screens/shared/campaign-fields/form-values.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Which program the data lies in. The choice is kept; no connection exists yet, and none is pretended. */
export function ConnectorFields({ values, errors }: FieldsProps) {
  const chosen = listOf(values, "data_source");
  return (
    <>
      <ChoiceField
        type="radio"
        look="cards"
        name="data_source"
        label="Data source"
        required
        options={connectors.map((value) => ({ value, label: dataSourceLabels[value], hint: "Not connected yet" }))}
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
      <Notice title="The choice is saved, the connection is not made yet">
        Until it is, upload files or use the API: both work for every audience.
      </Notice>
    </>
  );
}
