import { Button } from "#app/ui/button.tsx";
import type { SaveStatus } from "./form-autosave.ts";
import { adjacentStep, stepTitle, type WizardStep } from "./steps.ts";

/** Previous and Next also save the step. The last step's button launches the campaign. */
export function WizardButtons({
  step,
  going,
  status,
  launch,
}: {
  step: WizardStep;
  /** The intent of the pending submission. */
  going: string;
  /** A failure is shown here too: the title may be out of view. */
  status: SaveStatus;
  launch?: { label: string; busyLabel: string };
}) {
  return (
    <div className="wizard-buttons">
      <Button name="intent" value="previous" icon="arrow-left" disabled={step === 1} busy={going === "previous"}>
        Previous
      </Button>
      <Button name="intent" value="leave" variant="ghost" busy={going === "leave"}>
        {step === 6 ? "Exit" : "Save and exit"}
      </Button>
      {status.state === "failed" ? (
        <span className="save-status-bad" aria-hidden>
          Not saved: {status.message}
        </span>
      ) : null}
      {step < 6 ? (
        <Button
          name="intent"
          value="next"
          variant="primary"
          icon="arrow-right"
          iconAtEnd
          busy={going === "next" || going === "enter"}
          busyLabel="Saving..."
        >
          {`Next: ${stepTitle(adjacentStep(step, 1))}`}
        </Button>
      ) : launch ? (
        <Button
          name="intent"
          value="launch"
          variant="primary"
          icon="rocket"
          busy={going === "launch"}
          busyLabel={launch.busyLabel}
        >
          {launch.label}
        </Button>
      ) : null}
    </div>
  );
}
