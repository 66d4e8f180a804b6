import type { ReactNode } from "react";
import type { AccountId } from "#app/domain/ids.ts";
import { bpsToPercent, maxCommissionBps } from "#app/domain/rate.ts";
import { AudienceFields, NoAudiences } from "#app/screens/shared/campaigns/fields/audience-fields.tsx";
import { BudgetFields } from "#app/screens/shared/campaigns/fields/budget-fields.tsx";
import { ChannelFields } from "#app/screens/shared/campaigns/fields/channel-fields.tsx";
import { CreativeFields } from "#app/screens/shared/campaigns/fields/creative-fields.tsx";
import { FrequencyCapFields } from "#app/screens/shared/campaigns/fields/frequency-cap-fields.tsx";
import { GeolocationFields } from "#app/screens/shared/campaigns/fields/geolocation-fields.tsx";
import { PacingField } from "#app/screens/shared/campaigns/fields/pacing-field.tsx";
import { ScheduleFields } from "#app/screens/shared/campaigns/fields/schedule-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaigns/fields/setup-fields.tsx";
import { ReachEstimate } from "#app/screens/shared/campaigns/reach/reach-estimate.tsx";
import type { ReachResult } from "#app/screens/shared/campaigns/reach/reach-result.ts";
import { useReach } from "#app/screens/shared/campaigns/reach/use-reach.ts";
import { useSelectedAudiences } from "#app/screens/shared/campaigns/reach/use-selected-audiences.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText, fieldValues } from "#app/ui/form/form-values.ts";
import { Notice } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { OwnCreativeFields, type OwnCreativeOptions } from "./own-creative-fields.tsx";

type ManagedCampaignFieldsProps = FieldsProps & {
  /** Absent when the campaign exists: its advertiser and commission do not change. */
  advertisers?: readonly { id: AccountId; companyName: string }[];
  audiences: Parameters<typeof AudienceFields>[0]["audiences"];
  today: string;
  /** The reach of the selected audiences if known, and the URL from which a script loads it. */
  reach: ReachResult;
  reachHref: string;
  choices: OwnCreativeOptions;
};

/** Every field of a campaign on one page, in the order of the advertiser's steps. */
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
      <Group title={advertisers ? "Advertiser and campaign" : "Campaign Setup"}>
        {advertisers ? <AgreementFields {...fields} advertisers={advertisers} /> : null}
        <SetupFields {...fields} />
      </Group>
      <Group title="Ad Format & Creative">
        <CreativeFields {...fields} />
        <OwnCreativeFields {...fields} {...choices} />
      </Group>
      <Group title="Audience & Targeting">
        {audiences.length === 0 ? (
          <NoAudiences>
            <Notice tone="warn" title="None of your audiences is ready">
              An audience needs at least 1,000 people. Upload more people to one of your audiences.
            </Notice>
          </NoAudiences>
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

/** The publisher's audiences and the reach of the selected ones. */
function OwnAudienceFields({
  audiences,
  reach,
  reachHref,
  ...fields
}: FieldsProps & Pick<ManagedCampaignFieldsProps, "audiences" | "reach" | "reachHref">) {
  const { chosen, place, sync } = useSelectedAudiences(fieldValues(fields.values, "selected_audiences"));
  const estimate = useReach({ href: reachHref, chosen, known: reach });
  return (
    <div className="form-grid" ref={place} onChange={sync}>
      <AudienceFields {...fields} audiences={audiences} />
      <div className="reach-box">
        <h3>Estimated reach</h3>
        <ReachEstimate estimate={estimate} />
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

/** The advertiser and the commission. */
function AgreementFields({
  values,
  errors,
  advertisers,
}: FieldsProps & Required<Pick<ManagedCampaignFieldsProps, "advertisers">>) {
  return (
    <div className="form-grid form-grid-2">
      <SelectField
        name="advertiser_id"
        label="Advertiser"
        hint="Advertisers that allow publishers to create campaigns for them"
        required
        emptyLabel="Choose an advertiser"
        options={advertisers.map(({ id, companyName }) => ({ value: id, label: companyName }))}
        defaultValue={fieldText(values, "advertiser_id")}
        errors={errors.advertiser_id}
      />
      <TextField
        name="commission_rate"
        label="Commission rate"
        hint={`Your agreed share of the spend, up to ${bpsToPercent(maxCommissionBps)}%`}
        inputMode="decimal"
        autoComplete="off"
        suffix="%"
        defaultValue={fieldText(values, "commission_rate")}
        errors={errors.commission_rate}
      />
    </div>
  );
}
