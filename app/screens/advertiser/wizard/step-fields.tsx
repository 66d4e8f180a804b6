import { BudgetFields } from "#app/screens/shared/campaign-fields/budget-fields.tsx";
import { ChannelFields } from "#app/screens/shared/campaign-fields/channel-fields.tsx";
import type { FieldsProps } from "#app/screens/shared/campaign-fields/form-values.ts";
import { PacingField } from "#app/screens/shared/campaign-fields/pacing-field.tsx";
import { ScheduleFields } from "#app/screens/shared/campaign-fields/schedule-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaign-fields/setup-fields.tsx";
import type { ShownAd } from "#app/screens/shared/creatives/ad-frame.tsx";
import type { ShownCreative } from "#app/screens/shared/creatives/creative-words.ts";
import type { ReachAnswer } from "#app/screens/shared/reach/reach-answer.ts";
import { Card } from "#app/ui/layout.tsx";
import { AudienceStep } from "./audience-step.tsx";
import { CreativeStep } from "./creative-step.tsx";
import type { ChoosableAudience, ChoosableProduct } from "./list-choices.server.ts";
import { ProductFields } from "./product-fields.tsx";
import { type FormStep, titleOf } from "./steps.ts";

/** What the steps offer and show beside their fields, from the saved draft. */
export type StepChoices = {
  audiences: readonly ChoosableAudience[];
  products: readonly ChoosableProduct[];
  more: boolean;
  find?: string;
  findCreative?: string;
  /** Whether the campaign has a creative, as it is saved: without one there is nothing to choose products for. */
  hasCreative: boolean;
  creatives: readonly ShownCreative[];
  moreCreatives: boolean;
  /** Where a script sends files. */
  uploadHref: string;
  ad: ShownAd;
  /** How many people the saved audiences reach, and where a script asks for that of others. */
  reach: ReachAnswer;
  reachHref: string;
  today: string;
};

export function StepFields({ step, choices, ...fields }: FieldsProps & { step: FormStep; choices: StepChoices }) {
  switch (step) {
    case 1:
      return (
        <Card title={titleOf(step)}>
          <div className="form-grid">
            <SetupFields {...fields} />
          </div>
        </Card>
      );
    case 2:
      return (
        <>
          <CreativeStep {...fields} choices={choices} />
          <ProductFields {...fields} choices={choices} />
        </>
      );
    case 3:
      return <AudienceStep {...fields} choices={choices} />;
    case 4:
      return (
        <Card title={titleOf(step)}>
          <ChannelFields {...fields} />
        </Card>
      );
    case 5:
      return (
        <Card title={titleOf(step)}>
          <div className="form-grid">
            <BudgetFields {...fields} />
            <ScheduleFields {...fields} today={choices.today} />
            <PacingField {...fields} />
          </div>
        </Card>
      );
  }
}
