import type { StepState } from "#app/domain/campaigns/editing/step-states.ts";
import { stepTitle, type WizardStep } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { pluralize } from "#app/ui/format.ts";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Lists what a launch still needs, by step, each with a link to its field. Renders nothing when nothing is missing. */
export function LaunchChecklist({
  steps,
  stepTo,
}: {
  steps: readonly StepState[];
  stepTo: (step: WizardStep) => string;
}) {
  const open = steps.filter(({ needs }) => needs.length > 0);
  const count = open.reduce((sum, { needs }) => sum + needs.length, 0);
  if (count === 0) return null;
  return (
    <Notice tone="warn" title={`${pluralize(count, "thing")} to complete before launch`}>
      <ul className="launch-checklist">
        {open.map(({ step, needs }) => (
          <li key={step}>
            {stepTitle(step)}
            <ul>
              {needs.map(({ field, message }) => (
                <li key={field + message}>
                  <Link className="link" to={`${stepTo(step)}#${field}`}>
                    {message}
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
