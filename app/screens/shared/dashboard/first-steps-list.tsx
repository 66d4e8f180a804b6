import type { ReactNode } from "react";
import type { FirstStep } from "#app/domain/first-steps/first-steps.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { Progress } from "#app/ui/progress.tsx";
import type { LoadedFirstSteps } from "./load-first-steps.server.ts";

type Props = { base: PortalBase; firstSteps: LoadedFirstSteps };

const states: Record<FirstStep["state"], { icon: IconName; label: string }> = {
  done: { icon: "circle-check", label: "Done" },
  started: { icon: "circle-dashed", label: "Started" },
  to_do: { icon: "circle", label: "To do" },
};

/**
 * The first steps: what is done, how far the others are, each with a link to where it is done. `children` is an action
 * of the foot.
 */
export function FirstStepsList({ base, firstSteps: { steps, done }, children }: Props & { children?: ReactNode }) {
  const progress = `${done} of ${steps.length} done`;
  return (
    <Card
      title="Get started"
      flush
      aside={<span className="hint">{progress}</span>}
      foot={
        <>
          {children}
          <VisibilityForm base={base} to="hidden" label="Hide this list" />
        </>
      }
    >
      <div className="first-steps-progress">
        <Progress value={done / steps.length} label={`First steps: ${progress}`} />
      </div>
      <ol className="next-steps">
        {steps.map(({ name, state, title, text, to }) => {
          const { icon, label } = states[state];
          return (
            <li key={name} data-state={state}>
              <Link to={to} prefetch="intent">
                <span className="next-steps-icon">
                  <Icon name={icon} />
                </span>
                <span>
                  <strong>
                    <span className="sr-only">{label}: </span>
                    {title}
                  </strong>
                  <small>{text}</small>
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** In place of the hidden list: how much of it is left, and the way to show it again. */
export function HiddenFirstSteps({ base, firstSteps: { steps, done } }: Props) {
  return (
    <Card title="Get started">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="hint">{pluralize(steps.length - done, "step")} left</span>
        <VisibilityForm base={base} to="shown" label="Show the list" />
      </div>
    </Card>
  );
}

function VisibilityForm({ base, to, label }: { base: PortalBase; to: "hidden" | "shown"; label: string }) {
  return (
    <Form method="post" action={portalHref(base, "/preferences")} preventScrollReset>
      <input type="hidden" name="back" value={portalHref(base, "/dashboard")} />
      <Button name="first_steps" value={to} variant="ghost">
        {label}
      </Button>
    </Form>
  );
}
