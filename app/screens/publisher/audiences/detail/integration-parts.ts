import { screenPart } from "#app/ui/lazy/screen-part.tsx";
import { DirectIntegration } from "./direct-integration.tsx";
import { SegmentIntegration } from "./segment-integration.tsx";

export const DirectIntegrationPart = screenPart(
  "direct-integration",
  import.meta.env.SSR ? DirectIntegration : undefined,
  () => import("./direct-integration.tsx").then((part) => part.DirectIntegration),
);

export const SegmentIntegrationPart = screenPart(
  "segment-integration",
  import.meta.env.SSR ? SegmentIntegration : undefined,
  () => import("./segment-integration.tsx").then((part) => part.SegmentIntegration),
);
