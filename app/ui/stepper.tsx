import { Link } from "@remix-run/react";

/** The steps of a journey as links: one can move freely. */
export function Stepper({
  label,
  steps,
}: {
  label: string;
  steps: readonly { title: string; to: string; current: boolean; done: boolean }[];
}) {
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map((step, index) => (
          <li key={step.title}>
            <Link
              to={step.to}
              aria-current={step.current ? "step" : undefined}
              data-done={step.done || undefined}
              aria-label={`Step ${index + 1}: ${step.title}`}
            >
              <small>
                {step.done && !step.current ? "✓ " : ""}Step {index + 1}
              </small>
              {step.title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
