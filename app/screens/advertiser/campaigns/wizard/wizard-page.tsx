import { useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import type { StepState } from "#app/domain/campaigns/editing/step-states.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import type { FormErrors } from "#app/ui/form/form-values.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { Stepper } from "#app/ui/stepper.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { SaveStatusText } from "./save-status.tsx";
import { describeStepState, type WizardStep, wizardSteps } from "./steps.ts";
import { useAutosave } from "./use-autosave.ts";
import { useStepLinks } from "./use-step-links.ts";
import { WizardButtons } from "./wizard-buttons.tsx";
import { DefaultSubmitButton, WizardForm, type WizardFormProps } from "./wizard-form.tsx";

/** The layout of all six steps: stepper, error summary, the step's fields, and the buttons. */
export function WizardPage({
  base,
  step,
  states,
  title,
  subtitle,
  here,
  stepTo,
  autosaveHref,
  idempotencyKey,
  hidden,
  launch,
  children,
  ...form
}: WizardFormProps & {
  base: PortalBase;
  step: WizardStep;
  /** The state of each step with fields. */
  states: readonly StepState[];
  title: string;
  subtitle: string;
  here: string;
  /** The URL of a step; if undefined (nothing is saved yet), the steps are buttons of the form. */
  stepTo?: (step: WizardStep) => string;
  /** Where a script saves the step while its fields are typed in; undefined for a step without fields. */
  autosaveHref?: string;
  idempotencyKey: string;
  hidden?: ReactNode;
  /** The labels of the last step's button; undefined if there is nothing to submit. */
  launch?: { label: string; busyLabel: string };
}) {
  const navigation = useNavigation();
  const going = navigation.state !== "idle" ? String(navigation.formData?.get("intent") ?? "") : "";
  useFocusOnTarget();
  const autosave = useAutosave({ href: autosaveHref, formKey: idempotencyKey });
  const saveFirst = useStepLinks(autosave);
  const saved = autosave.result;
  const problems = omitField(saved?.problems ?? form.problems, autosave.typedIn);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/campaigns"), label: "My Campaigns" }]} here={here} />
      <PageHeader
        title={saved?.title ?? title}
        subtitle={<SaveStatusText status={autosave.status} otherwise={subtitle} />}
      />
      <DefaultSubmitButton />
      <Stepper
        label="Steps"
        form="wizard"
        onStepClick={saveFirst}
        steps={wizardSteps.map(({ number, title: stepTitle }) => ({
          title: stepTitle,
          to: stepTo?.(number),
          current: number === step,
          ...describeStepState(saved?.states ?? states, number),
        }))}
      />
      <div className="stack">
        <WizardForm
          key={idempotencyKey}
          formKey={idempotencyKey}
          files={step === 2}
          autosave={autosave}
          {...form}
          problems={problems}
        >
          {(fields) => (
            <>
              {hidden}
              {children(fields)}
              <WizardButtons status={autosave.status} step={step} going={going} launch={launch} />
            </>
          )}
        </WizardForm>
      </div>
      <LeaveDialog {...autosave.leaving} />
    </>
  );
}

function omitField(errors: FormErrors, name: string | undefined): FormErrors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => field !== name));
}

/** Moves keyboard focus to the field that a link of the review's errors points to. */
function useFocusOnTarget() {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (key && hash) document.getElementById(hash.slice(1))?.focus();
  }, [hash, key]);
}
