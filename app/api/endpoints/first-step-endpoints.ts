import { z } from "zod";
import { type FirstSteps, firstStepNames, firstStepStates } from "#app/domain/first-steps/first-steps.ts";
import { getFirstSteps } from "#app/domain/first-steps/get-first-steps.server.ts";
import { tenantEndpoint } from "../endpoint.server.ts";

const firstStepsSchema = z.object({
  done: z.number().int(),
  total: z.number().int(),
  steps: z.array(
    z.object({
      name: z.enum(firstStepNames),
      state: z.enum(firstStepStates),
      progress: z
        .object({ current: z.number().int(), target: z.number().int() })
        .nullable()
        .describe("How far a counted step is: details of the profile, people of the largest audience"),
    }),
  ),
});

const firstStepsJson = ({ done, steps }: FirstSteps): z.input<typeof firstStepsSchema> => ({
  done,
  total: steps.length,
  steps,
});

/** The dashboards' list of first steps. */
export const firstStepEndpoints = {
  "GET /api/first-steps": tenantEndpoint({
    summary: "What the account has done of its first steps, and what is still to do",
    response: z.object({ first_steps: firstStepsSchema }),
    run: async ({ ctx }) => ({ first_steps: firstStepsJson(await getFirstSteps(ctx)) }),
  }),
};
