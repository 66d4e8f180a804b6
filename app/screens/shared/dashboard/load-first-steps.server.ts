import type { TenantActor } from "#app/domain/context.ts";
import { areFirstStepsHidden } from "#app/domain/first-steps/first-steps-visibility.server.ts";
import { getFirstSteps } from "#app/domain/first-steps/get-first-steps.server.ts";
import type { PortalAccess } from "#app/portal/require-portal-access.server.ts";
import { describeFirstStep } from "./first-step-copy.server.ts";

/**
 * Loads the list of first steps with its texts and links, and whether the person hid it; null once every step is done.
 */
export async function loadFirstSteps({
  ctx,
  viewer,
  base,
}: Pick<PortalAccess<TenantActor>, "ctx" | "viewer" | "base">) {
  const [firstSteps, hidden] = await Promise.all([getFirstSteps(ctx), areFirstStepsHidden(ctx, { userId: viewer.id })]);
  const { steps, done } = firstSteps;
  if (done === steps.length) return null;
  return {
    hidden,
    done,
    steps: steps.map((step) => ({ name: step.name, state: step.state, ...describeFirstStep(step, firstSteps, base) })),
  };
}

export type LoadedFirstSteps = NonNullable<Awaited<ReturnType<typeof loadFirstSteps>>>;
