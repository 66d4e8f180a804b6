import { useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, type SummaryError } from "#app/ui/notice.tsx";
import { Stepper } from "#app/ui/stepper.tsx";
import { type WizardStep, wizardSteps } from "./steps.ts";
import { useSaveFirst } from "./use-save-first.ts";
import { WizardButtons } from "./wizard-buttons.tsx";
import { EnterButton, WizardForm } from "./wizard-form.tsx";

/** The frame of all six steps: where one is, what stops one, the step's own part, and the ways on. */
export function WizardPage({
  base,
  step,
  title,
  subtitle,
  here,
  stepTo,
  refused,
  problems,
  notes,
  formKey,
  hidden,
  launch,
  children,
}: {
  base: PortalBase;
  step: WizardStep;
  title: string;
  subtitle: ReactNode;
  here: string;
  /** The address of a step; without it (nothing is saved yet) the steps are buttons of the form. */
  stepTo?: (step: WizardStep) => string;
  /** The answer that the problems came with. */
  refused: unknown;
  problems: readonly SummaryError[];
  notes?: ReactNode;
  formKey: string;
  hidden?: ReactNode;
  /** The words of the last step's button; without it there is nothing to send. */
  launch?: { label: string; busyLabel: string };
  children: ReactNode;
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
        <Attention to={refused}>
          <ErrorSummary errors={problems} />
        </Attention>
        {notes}
        <WizardForm key={formKey} files={step === 2} onChange={noteChange}>
          {hidden}
          {children}
          <WizardButtons step={step} going={going} launch={launch} />
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
