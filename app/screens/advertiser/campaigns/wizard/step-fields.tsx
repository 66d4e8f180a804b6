import { ChannelFields } from "#app/screens/shared/campaigns/fields/channel-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaigns/fields/setup-fields.tsx";
import type { FieldsProps } from "#app/ui/form/form-values.ts";
import { Card } from "#app/ui/page-header.tsx";
import { AudienceStep } from "./audience-step.tsx";
import { BudgetStep } from "./budget-step.tsx";
import { CreativeStep } from "./creative-step.tsx";
import { StepProductFields } from "./product-fields.tsx";
import type { StepOptions } from "./step-options.ts";
import { type FormStep, stepTitle } from "./steps.ts";

export function StepFields({ step, choices, ...fields }: FieldsProps & { step: FormStep; choices: StepOptions }) {
  switch (step) {
    case 1:
      return (
        <Card title={stepTitle(step)}>
          <div className="form-grid">
            <SetupFields {...fields} />
          </div>
        </Card>
      );
    case 2:
      return (
        <>
          <CreativeStep {...fields} choices={choices} />
          <StepProductFields {...fields} choices={choices} />
        </>
      );
    case 3:
      return <AudienceStep {...fields} choices={choices} />;
    case 4:
      return (
        <Card title={stepTitle(step)}>
          <ChannelFields {...fields} />
        </Card>
      );
    case 5:
      return <BudgetStep {...fields} choices={choices} />;
  }
}
