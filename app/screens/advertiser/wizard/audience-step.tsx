import { UsersRound } from "lucide-react";
import { formatCents, toCents } from "#app/domain/money.ts";
import { AudienceFields } from "#app/screens/shared/campaign-fields/audience-fields.tsx";
import { FrequencyCapFields } from "#app/screens/shared/campaign-fields/frequency-cap-fields.tsx";
import { GeolocationFields } from "#app/screens/shared/campaign-fields/geolocation-fields.tsx";
import { ReachEstimate } from "#app/screens/shared/reach/reach-estimate.tsx";
import { useChosenAudiences } from "#app/screens/shared/reach/use-chosen-audiences.ts";
import { useReach } from "#app/screens/shared/reach/use-reach.ts";
import { Button } from "#app/ui/button.tsx";
import { type FieldsProps, listOf } from "#app/ui/form/form-values.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState, Facts } from "#app/ui/layout.tsx";
import { FindBox } from "./find-box.tsx";
import type { StepChoices } from "./step-choices.ts";
import { moreThanListed, titleOf } from "./steps.ts";

/** Whom the campaign reaches: audiences on the left, how many people they are and the rest of the targeting beside them. */
export function AudienceStep({ choices, ...fields }: FieldsProps & { choices: StepChoices }) {
  const { audiences, reach, reachHref, find, more } = choices;
  const { chosen, place, read } = useChosenAudiences(listOf(fields.values, "selected_audiences"));
  const answer = useReach({ href: reachHref, chosen, known: reach });
  return (
    <div className="split" ref={place} onChange={read}>
      <Card title={titleOf(3)} aside={<span className="hint">{formatCount(chosen.length)} selected</span>}>
        {audiences.length === 0 && !find ? (
          <EmptyState icon={UsersRound} title="No audiences yet">
            Publishers have not offered any audience so far. The other steps can be filled in meanwhile.
          </EmptyState>
        ) : (
          <div className="form-grid">
            <FindBox label="Search audiences by name" find={find} hint={more ? moreThanListed : undefined} />
            {audiences.length === 0 ? <p className="hint">No audiences found</p> : null}
            <AudienceFields {...fields} audiences={audiences} />
          </div>
        )}
      </Card>
      <div className="stack">
        <Card title="Estimated reach">
          <div className="form-grid">
            <ReachEstimate answer={answer} />
            <Facts facts={[{ label: "Average CPM", value: averageCpm(audiences, chosen) }]} />
            <noscript>
              <Button name="intent" value="step-3">
                Update estimate
              </Button>
            </noscript>
          </div>
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

/** The mean price of a thousand impressions over the chosen audiences that have one. */
function averageCpm(audiences: StepChoices["audiences"], chosen: readonly string[]): string {
  const prices = audiences.flatMap(({ id, cpmCents }) =>
    cpmCents === null || !chosen.includes(id) ? [] : [Number(cpmCents)],
  );
  if (prices.length === 0) return "–";
  return formatCents(toCents(Math.round(prices.reduce((sum, price) => sum + price, 0) / prices.length)));
}
