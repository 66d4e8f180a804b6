import type { ReactNode } from "react";
import type { AccountId } from "#app/domain/ids.ts";
import { maxCommissionBps, percentOf } from "#app/domain/rate.ts";
import { AudienceFields } from "#app/screens/shared/campaign-fields/audience-fields.tsx";
import { BudgetFields } from "#app/screens/shared/campaign-fields/budget-fields.tsx";
import { ChannelFields } from "#app/screens/shared/campaign-fields/channel-fields.tsx";
import { CreativeFields } from "#app/screens/shared/campaign-fields/creative-fields.tsx";
import { FrequencyCapFields } from "#app/screens/shared/campaign-fields/frequency-cap-fields.tsx";
import { GeolocationFields } from "#app/screens/shared/campaign-fields/geolocation-fields.tsx";
import { PacingField } from "#app/screens/shared/campaign-fields/pacing-field.tsx";
import { ScheduleFields } from "#app/screens/shared/campaign-fields/schedule-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaign-fields/setup-fields.tsx";
import type { ReachAnswer } from "#app/screens/shared/reach/reach-answer.ts";
import { ReachEstimate } from "#app/screens/shared/reach/reach-estimate.tsx";
import { useChosenAudiences } from "#app/screens/shared/reach/use-chosen-audiences.ts";
import { useReach } from "#app/screens/shared/reach/use-reach.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf, textOf } from "#app/ui/form/form-values.ts";
import { Card } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { OwnCreativeFields, type OwnCreatives } from "./own-creative-fields.tsx";

type ManagedCampaignFieldsProps = FieldsProps & {
  advertisers: readonly { id: AccountId; companyName: string }[];
  audiences: Parameters<typeof AudienceFields>[0]["audiences"];
  today: string;
  /** How many people the chosen audiences reach, where it is known, and where a script asks for it. */
  reach: ReachAnswer;
  reachHref: string;
  choices: OwnCreatives;
};

/** Everything that a campaign needs at once, in the order of the advertiser's own steps. */
export function ManagedCampaignFields({
  advertisers,
  audiences,
  today,
  reach,
  reachHref,
  choices,
  ...fields
}: ManagedCampaignFieldsProps) {
  return (
    <>
      <Group title="Advertiser and campaign">
        <AgreementFields {...fields} advertisers={advertisers} />
        <SetupFields {...fields} />
      </Group>
      <Group title="Ad Format & Creative">
        <CreativeFields {...fields} />
        <OwnCreativeFields {...fields} {...choices} />
      </Group>
      <Group title="Audience & Targeting">
        {audiences.length === 0 ? (
          <Notice tone="warn" title="You have no audience that is ready">
            An audience can be used once it has 1,000 people.
          </Notice>
        ) : (
          <OwnAudienceFields {...fields} audiences={audiences} reach={reach} reachHref={reachHref} />
        )}
        <GeolocationFields {...fields} />
        <FrequencyCapFields {...fields} />
      </Group>
      <Group title="Channel Selection">
        <ChannelFields {...fields} />
      </Group>
      <Group title="Budget & Schedule">
        <BudgetFields {...fields} />
        <ScheduleFields {...fields} today={today} />
        <PacingField {...fields} />
      </Group>
    </>
  );
}

/** The publisher's audiences, and how many people the ticked ones are. */
function OwnAudienceFields({
  audiences,
  reach,
  reachHref,
  ...fields
}: FieldsProps & Pick<ManagedCampaignFieldsProps, "audiences" | "reach" | "reachHref">) {
  const { chosen, place, read } = useChosenAudiences(listOf(fields.values, "selected_audiences"));
  const answer = useReach({ href: reachHref, chosen, known: reach });
  return (
    <div className="form-grid" ref={place} onChange={read}>
      <AudienceFields {...fields} audiences={audiences} />
      <div className="reach-box">
        <h3>Estimated reach</h3>
        <ReachEstimate answer={answer} />
        <noscript>
          <Button name="intent" value="estimate">
            Update estimate
          </Button>
        </noscript>
      </div>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="form-grid">{children}</div>
    </Card>
  );
}

/** For whom, and at what share. */
function AgreementFields({
  values,
  errors,
  advertisers,
}: FieldsProps & Pick<ManagedCampaignFieldsProps, "advertisers">) {
  return (
    <div className="form-grid form-grid-2">
      <SelectField
        name="advertiser_id"
        label="Advertiser"
        hint="Those that allow publishers to create campaigns for them"
        required
        emptyLabel="Choose an advertiser"
        options={advertisers.map(({ id, companyName }) => ({ value: id, label: companyName }))}
        defaultValue={textOf(values, "advertiser_id")}
        errors={errors.advertiser_id}
      />
      <TextField
        name="commission_rate"
        label="Commission rate"
        hint={`What you earn of the spend, as agreed; at most ${percentOf(maxCommissionBps)}%`}
        inputMode="decimal"
        autoComplete="off"
        suffix="%"
        defaultValue={textOf(values, "commission_rate")}
        errors={errors.commission_rate}
      />
    </div>
  );
}
