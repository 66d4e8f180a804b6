import type { FieldsProps } from "#app/ui/form/form-values.ts";
import { Card } from "#app/ui/page-header.tsx";
import type { StepOptions } from "./step-options.ts";
import {
  AudienceStepPart,
  BudgetStepPart,
  ChannelFieldsPart,
  CreativeStepPart,
  SetupFieldsPart,
} from "./step-parts.ts";
import { type FormStep, stepTitle } from "./steps.ts";

export function StepFields({ step, choices, ...fields }: FieldsProps & { step: FormStep; choices: StepOptions }) {
  switch (step) {
    case 1:
      return (
        <Card title={stepTitle(step)}>
          <div className="form-grid">
            <SetupFieldsPart {...fields} />
          </div>
        </Card>
      );
    case 2:
      return <CreativeStepPart {...fields} choices={choices} />;
    case 3:
      return <AudienceStepPart {...fields} choices={choices} />;
    case 4:
      return (
        <Card title={stepTitle(step)}>
          <ChannelFieldsPart {...fields} />
        </Card>
      );
    case 5:
      return <BudgetStepPart {...fields} choices={choices} />;
  }
}
