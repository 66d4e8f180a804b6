import { ArrowLeft, ArrowRight, Rocket } from "lucide-react";
import { Button } from "#app/ui/button.tsx";
import { stepBeside, titleOf, type WizardStep } from "./steps.ts";

/** Previous and Next save the step too. The last step's button launches. */
export function WizardButtons({
  step,
  going,
  launch,
}: {
  step: WizardStep;
  /** The intent that is on its way. */
  going: string;
  launch?: { label: string; busyLabel: string };
}) {
  return (
    <div className="wizard-buttons">
      <Button name="intent" value="previous" icon={ArrowLeft} disabled={step === 1} busy={going === "previous"}>
        Previous
      </Button>
      <Button name="intent" value="leave" variant="ghost" busy={going === "leave"}>
        {step === 6 ? "Leave" : "Save and leave"}
      </Button>
      {step < 6 ? (
        <Button
          name="intent"
          value="next"
          variant="primary"
          icon={ArrowRight}
          busy={going === "next" || going === "enter"}
          busyLabel="Saving…"
        >
          {`Next: ${titleOf(stepBeside(step, 1))}`}
        </Button>
      ) : launch ? (
        <Button
          name="intent"
          value="launch"
          variant="primary"
          icon={Rocket}
          busy={going === "launch"}
          busyLabel={launch.busyLabel}
        >
          {launch.label}
        </Button>
      ) : null}
    </div>
  );
}
