import { lazyPart } from "../lazy/lazy-part.tsx";
import { TimeSeries } from "./time-series.tsx";

/** `TimeSeries` whose script is loaded when the pointer or focus enters it. Its `note` has no links. */
export const LazyTimeSeries = lazyPart(import.meta.env.SSR ? TimeSeries : undefined, () =>
  import("./time-series.tsx").then((part) => part.TimeSeries),
);
