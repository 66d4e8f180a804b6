import { ChannelFields } from "#app/screens/shared/campaigns/fields/channel-fields.tsx";
import { SetupFields } from "#app/screens/shared/campaigns/fields/setup-fields.tsx";
import { screenPart } from "#app/ui/lazy/screen-part.tsx";
import { AudienceStep } from "./audience-step.tsx";
import { BudgetStep } from "./budget-step.tsx";
import { CreativeStep } from "./creative-step.tsx";

export const SetupFieldsPart = screenPart("setup-fields", import.meta.env.SSR ? SetupFields : undefined, () =>
  import("#app/screens/shared/campaigns/fields/setup-fields.tsx").then((part) => part.SetupFields),
);

export const CreativeStepPart = screenPart("creative-step", import.meta.env.SSR ? CreativeStep : undefined, () =>
  import("./creative-step.tsx").then((part) => part.CreativeStep),
);

export const AudienceStepPart = screenPart("audience-step", import.meta.env.SSR ? AudienceStep : undefined, () =>
  import("./audience-step.tsx").then((part) => part.AudienceStep),
);

export const ChannelFieldsPart = screenPart("channel-fields", import.meta.env.SSR ? ChannelFields : undefined, () =>
  import("#app/screens/shared/campaigns/fields/channel-fields.tsx").then((part) => part.ChannelFields),
);

export const BudgetStepPart = screenPart("budget-step", import.meta.env.SSR ? BudgetStep : undefined, () =>
  import("./budget-step.tsx").then((part) => part.BudgetStep),
);
