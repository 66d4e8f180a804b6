import { lazyPart } from "#app/ui/lazy/lazy-part.tsx";
import { DeliveryCards } from "./delivery-cards.tsx";
import { PacingCard } from "./pacing-card.tsx";

export const LazyDeliveryCards = lazyPart(import.meta.env.SSR ? DeliveryCards : undefined, () =>
  import("./delivery-cards.tsx").then((part) => part.DeliveryCards),
);

export const LazyPacingCard = lazyPart(import.meta.env.SSR ? PacingCard : undefined, () =>
  import("./pacing-card.tsx").then((part) => part.PacingCard),
);
