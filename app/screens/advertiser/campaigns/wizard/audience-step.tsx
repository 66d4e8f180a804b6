import { asCents, formatCents } from "#app/domain/money.ts";
import { AudienceFields, NoAudiences } from "#app/screens/shared/campaigns/fields/audience-fields.tsx";
import { FrequencyCapFields } from "#app/screens/shared/campaigns/fields/frequency-cap-fields.tsx";
import { GeolocationFields } from "#app/screens/shared/campaigns/fields/geolocation-fields.tsx";
import { ReachEstimate } from "#app/screens/shared/campaigns/reach/reach-estimate.tsx";
import { useReach } from "#app/screens/shared/campaigns/reach/use-reach.ts";
import { useSelectedAudiences } from "#app/screens/shared/campaigns/reach/use-selected-audiences.ts";
import { Button } from "#app/ui/button.tsx";
import { type FieldsProps, fieldValues } from "#app/ui/form/form-values.ts";
import { formatCount } from "#app/ui/format.ts";
import { Card, DescriptionList, EmptyState } from "#app/ui/page-header.tsx";
import { SearchField } from "./search-field.tsx";
import type { StepOptions } from "./step-options.ts";
import { listTruncatedHint, stepTitle } from "./steps.ts";

/** Audiences on the left; their reach and the other targeting fields beside them. */
export function AudienceStep({ choices, ...fields }: FieldsProps & { choices: StepOptions }) {
  const { audiences, reach, reachHref, find, more } = choices;
  const { chosen, place, sync } = useSelectedAudiences(fieldValues(fields.values, "selected_audiences"));
  const estimate = useReach({ href: reachHref, chosen, known: reach });
  return (
    <div className="main-and-aside" ref={place} onChange={sync}>
      <Card title={stepTitle(3)} aside={<span className="hint">{formatCount(chosen.length)} selected</span>}>
        {audiences.length === 0 && !find ? (
          <NoAudiences>
            <EmptyState icon="users-round" title="No audiences available">
              No publisher offers an audience yet. You can complete the other steps in the meantime.
            </EmptyState>
          </NoAudiences>
        ) : (
          <div className="form-grid">
            <SearchField label="Search audiences by name" find={find} hint={more ? listTruncatedHint : undefined} />
            {audiences.length === 0 ? <p className="hint">No audiences found</p> : null}
            <AudienceFields {...fields} audiences={audiences} />
          </div>
        )}
      </Card>
      <div className="stack">
        <Card title="Estimated reach">
          <div className="form-grid">
            <ReachEstimate estimate={estimate} />
            <DescriptionList facts={[{ label: "Average CPM", value: averageCpm(audiences, chosen) }]} />
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

/** Returns the mean CPM of the selected audiences that have one. */
function averageCpm(audiences: StepOptions["audiences"], chosen: readonly string[]): string {
  const prices = audiences.flatMap(({ id, cpmCents }) =>
    cpmCents === null || !chosen.includes(id) ? [] : [Number(cpmCents)],
  );
  if (prices.length === 0) return "–";
  return formatCents(asCents(Math.round(prices.reduce((sum, price) => sum + price, 0) / prices.length)));
}
