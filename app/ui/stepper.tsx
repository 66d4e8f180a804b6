import { Link } from "@remix-run/react";
import type { MouseEvent } from "react";

type Step = { title: string; to?: string; current: boolean; done: boolean };

/**
 * The steps of a journey as links: one can move freely. A step without an address is a button of the form named here,
 * with the intent `step-N`. `onChoose` hears a link's click before it is followed.
 */
export function Stepper({
  label,
  steps,
  form,
  onChoose,
}: {
  label: string;
  steps: readonly Step[];
  form?: string;
  onChoose?: (event: MouseEvent, number: number) => void;
}) {
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map((step, index) => {
          const shared = {
            "aria-current": step.current ? ("step" as const) : undefined,
            "data-done": step.done || undefined,
            "aria-label": `Step ${index + 1}: ${step.title}`,
          };
          const words = (
            <>
              <small>
                {step.done && !step.current ? "✓ " : ""}Step {index + 1}
              </small>
              {step.title}
            </>
          );
          return (
            <li key={step.title} data-current={step.current || undefined}>
              {step.to ? (
                <Link to={step.to} {...shared} onClick={(event) => onChoose?.(event, index + 1)}>
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
