import { lazyPart } from "#app/ui/lazy/lazy-part.tsx";
import { DeliveryCards } from "./delivery-cards.tsx";
import { PacingCard } from "./pacing-card.tsx";

export const LazyDeliveryCards = lazyPart(
  import.meta.env.SSR ? DeliveryCards : undefined,
  async () => (await import("./delivery-cards.tsx")).DeliveryCards,
);

export const LazyPacingCard = lazyPart(
  import.meta.env.SSR ? PacingCard : undefined,
  async () => (await import("./pacing-card.tsx")).PacingCard,
);
