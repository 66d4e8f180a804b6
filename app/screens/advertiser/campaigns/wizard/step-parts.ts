import { ChannelFields } from "#app/screens/shared/campaigns/fields/channel-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaigns/fields/setup-fields.tsx";
import { screenPart } from "#app/ui/lazy/screen-part.tsx";
import { AudienceStep } from "./audience-step.tsx";
import { BudgetStep } from "./budget-step.tsx";
import { CreativeStep } from "./creative-step.tsx";

export const SetupFieldsPart = screenPart(
  "setup-fields",
  import.meta.env.SSR ? SetupFields : undefined,
  async () => (await import("#app/screens/shared/campaigns/fields/setup-fields.tsx")).SetupFields,
);

export const CreativeStepPart = screenPart(
  "creative-step",
  import.meta.env.SSR ? CreativeStep : undefined,
  async () => (await import("./creative-step.tsx")).CreativeStep,
);

export const AudienceStepPart = screenPart(
  "audience-step",
  import.meta.env.SSR ? AudienceStep : undefined,
  async () => (await import("./audience-step.tsx")).AudienceStep,
);

export const ChannelFieldsPart = screenPart(
  "channel-fields",
  import.meta.env.SSR ? ChannelFields : undefined,
  async () => (await import("#app/screens/shared/campaigns/fields/channel-fields.tsx")).ChannelFields,
);

export const BudgetStepPart = screenPart(
  "budget-step",
  import.meta.env.SSR ? BudgetStep : undefined,
  async () => (await import("./budget-step.tsx")).BudgetStep,
);
