import { screenPart } from "#app/ui/lazy/screen-part.tsx";
import { ReviewNotes, ReviewStep } from "./review-step.tsx";

export const ReviewStepPart = screenPart("review-step", import.meta.env.SSR ? ReviewStep : undefined, () =>
  import("./review-step.tsx").then((part) => part.ReviewStep),
);

export const ReviewNotesPart = screenPart("review-step", import.meta.env.SSR ? ReviewNotes : undefined, () =>
  import("./review-step.tsx").then((part) => part.ReviewNotes),
);
