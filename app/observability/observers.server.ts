import { sharedState } from "#app/shared-state.ts";

/** A piece of work as traces show it. Attributes are names, ids and numbers, never values that a person entered. */
export type SpanFacts = {
  name: string;
  kind?: "server" | "client";
  attributes?: SpanAttributes;
};

export type SpanAttributes = Record<string, string | number | boolean | undefined>;

type OpenSpan = {
  traceId: string;
  /** Runs `work`, whose own spans become children of this one. */
  within: <T>(work: () => T) => T;
  /** Call once. */
  end: (outcome?: { name?: string; attributes?: SpanAttributes; hasFailed?: boolean }) => void;
};

/** What listens to this process; empty when neither metrics nor traces are on. */
type Observers = {
  onLogLine?: (level: "info" | "warn" | "error", line: Record<string, unknown>) => void;
  /** A mail server rejected the address of a mail while it was sent. */
  onBounce?: () => void;
  /** `parent` is the value of a `traceparent` header; by default the span in which it is called. */
  beginSpan?: (facts: SpanFacts, parent?: string) => OpenSpan;
  /** Returns the id of the trace that the caller runs in. */
  traceId?: () => string | undefined;
};

/** Returns the observers of this process, which a start sets (server/observability). */
export const observers = sharedState("observers", (): Observers => ({}));

/** Runs `work` in a span if traces are on. A thrown Error marks the span as failed, by its name only. */
export function traced<T>(
  facts: SpanFacts,
  work: () => Promise<T>,
  attributesOf?: (result: T) => SpanAttributes,
): Promise<T> {
  const span = observers().beginSpan?.(facts);
  if (!span) return work();
  return span.within(async () => {
    try {
      const result = await work();
      span.end(attributesOf ? { attributes: attributesOf(result) } : {});
      return result;
    } catch (error) {
      // Loaders throw responses too, which are no failures.
      const hasFailed = error instanceof Error;
      span.end(hasFailed ? { hasFailed, attributes: { "error.type": error.name } } : {});
      throw error;
    }
  });
}
