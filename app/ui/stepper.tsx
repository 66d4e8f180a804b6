import type { MouseEvent } from "react";
import { Link } from "./link.tsx";

/** `note` says how far the step is, in two or three words; `state` colors it. */
export type Step = {
  title: string;
  to?: string;
  current: boolean;
  state?: "complete" | "incomplete";
  note?: string;
};

/**
 * The steps of a flow as links, in any order. A step without a URL is a button of the form, with the intent `step-N`.
 * `onStepClick` is called before a link is followed.
 */
export function Stepper({
  label,
  steps,
  form,
  onStepClick,
}: {
  label: string;
  steps: readonly Step[];
  form?: string;
  onStepClick?: (event: MouseEvent, number: number) => void;
}) {
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map((step, index) => {
          const shared = {
            "aria-current": step.current ? ("step" as const) : undefined,
            "data-state": step.state,
            "aria-label": `Step ${index + 1}: ${step.title}${step.note ? `, ${step.note}` : ""}`,
          };
          const words = (
            <>
              <small>
                {step.state ? <span className="step-mark">{step.state === "complete" ? "✓ " : "! "}</span> : null}
                <span className="step-number">Step {index + 1}</span>
                {step.state === "incomplete" ? <span className="step-note"> · {step.note}</span> : null}
              </small>
              {step.title}
            </>
          );
          return (
            <li key={step.title} data-current={step.current || undefined}>
              {step.to ? (
                <Link to={step.to} {...shared} onClick={(event) => onStepClick?.(event, index + 1)}>
                  {words}
                </Link>
              ) : (
                <button type="submit" form={form} name="intent" value={`step-${index + 1}`} {...shared}>
                  {words}
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
