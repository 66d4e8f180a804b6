import { BudgetFields } from "#app/screens/shared/campaign-fields/budget-fields.tsx";
import { ChannelFields } from "#app/screens/shared/campaign-fields/channel-fields.tsx";
import { PacingField } from "#app/screens/shared/campaign-fields/pacing-field.tsx";
import { ScheduleFields } from "#app/screens/shared/campaign-fields/schedule-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaign-fields/setup-fields.tsx";
import type { FieldsProps } from "#app/ui/form/form-values.ts";
import { Card } from "#app/ui/layout.tsx";
import { AudienceStep } from "./audience-step.tsx";
import { CreativeStep } from "./creative-step.tsx";
import { ProductFields } from "./product-fields.tsx";
import type { StepChoices } from "./step-choices.ts";
import { type FormStep, titleOf } from "./steps.ts";

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
