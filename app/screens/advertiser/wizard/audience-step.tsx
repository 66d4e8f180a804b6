import { UsersRound } from "lucide-react";
import { formatCents, toCents } from "#app/domain/money.ts";
import { AudienceFields } from "#app/screens/shared/campaign-fields/audience-fields.tsx";
import type { FieldsProps } from "#app/screens/shared/campaign-fields/form-values.ts";
import { FrequencyCapFields } from "#app/screens/shared/campaign-fields/frequency-cap-fields.tsx";
import { GeolocationFields } from "#app/screens/shared/campaign-fields/geolocation-fields.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState, Facts } from "#app/ui/layout.tsx";
import { FindBox } from "./find-box.tsx";
import type { StepChoices } from "./step-fields.tsx";
import { titleOf } from "./steps.ts";

/** Whom the campaign reaches: audiences on the left, the rest of the targeting beside them. */
export function AudienceStep({ choices, ...fields }: FieldsProps & { choices: StepChoices }) {
  const { audiences, chosenAudiences, find, more } = choices;
  return (
    <div className="split">
      <Card title={titleOf(3)} aside={<span className="hint">{formatCount(chosenAudiences.length)} selected</span>}>
        {audiences.length === 0 && !find ? (
          <EmptyState icon={UsersRound} title="No audiences yet">
            Publishers have not offered any audience so far. The other steps can be filled in meanwhile.
          </EmptyState>
        ) : (
          <div className="form-grid">
            <FindBox label="Search audiences by name" find={find} more={more} />
            {audiences.length === 0 ? <p className="hint">No audiences found</p> : null}
            <AudienceFields {...fields} audiences={audiences} />
          </div>
        )}
      </Card>
      <div className="stack">
        <Card title="Selected audiences">
          <Facts
            facts={[
              { label: "Saved so far", value: formatCount(chosenAudiences.length) },
              { label: "Average CPM", value: averageCpm(chosenAudiences) },
            ]}
          />
        </Card>
        <Card title="Targeting">
          <div className="form-grid">
            <GeolocationFields {...fields} />
            <FrequencyCapFields {...fields} />
          </div>
        </Card>
      </div>
    </div>
  );
}

/** The mean price of a thousand impressions over the audiences that have one. */
function averageCpm(audiences: StepChoices["chosenAudiences"]): string {
  const prices = audiences.flatMap(({ cpmCents }) => (cpmCents === null ? [] : [Number(cpmCents)]));
  if (prices.length === 0) return "–";
  return formatCents(toCents(Math.round(prices.reduce((sum, price) => sum + price, 0) / prices.length)));
}
