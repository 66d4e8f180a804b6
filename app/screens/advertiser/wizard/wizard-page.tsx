import { useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { Stepper } from "#app/ui/stepper.tsx";
import { type WizardStep, wizardSteps } from "./steps.ts";
import { useSaveFirst } from "./use-save-first.ts";
import { WizardButtons } from "./wizard-buttons.tsx";
import { EnterButton, WizardForm, type WizardFormProps } from "./wizard-form.tsx";

/** The frame of all six steps: where one is, what stops one, the step's own part, and the ways on. */
export function WizardPage({
  base,
  step,
  title,
  subtitle,
  here,
  stepTo,
  formKey,
  hidden,
  launch,
  children,
  ...form
}: WizardFormProps & {
  base: PortalBase;
  step: WizardStep;
  title: string;
  subtitle: ReactNode;
  here: string;
  /** The address of a step; without it (nothing is saved yet) the steps are buttons of the form. */
  stepTo?: (step: WizardStep) => string;
  formKey: string;
  hidden?: ReactNode;
  /** The words of the last step's button; without it there is nothing to send. */
  launch?: { label: string; busyLabel: string };
}) {
  const navigation = useNavigation();
  const going = navigation.state !== "idle" ? String(navigation.formData?.get("intent") ?? "") : "";
  useFocusOnTarget();
  const { noteChange, saveFirst } = useSaveFirst(formKey);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/campaigns"), label: "My Campaigns" }]} here={here} />
      <PageHeader title={title} subtitle={subtitle} />
      <EnterButton />
      <Stepper
        label="Steps"
        form="wizard"
        onChoose={saveFirst}
        steps={wizardSteps.map(({ number, title: stepTitle }) => ({
          title: stepTitle,
          to: stepTo?.(number),
          current: number === step,
          done: number < step,
        }))}
      />
      <div className="stack">
        <WizardForm key={formKey} files={step === 2} onChange={noteChange} {...form}>
          {(fields) => (
            <>
              {hidden}
              {children(fields)}
              <WizardButtons step={step} going={going} launch={launch} />
            </>
          )}
        </WizardForm>
      </div>
    </>
  );
}

/** A link to a field (from the review's errors) brings the keyboard there too. */
function useFocusOnTarget() {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (key && hash) document.getElementById(hash.slice(1))?.focus();
  }, [hash, key]);
}
