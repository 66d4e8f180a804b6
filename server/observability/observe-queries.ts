import { observers } from "#app/observability/observers.server.ts";
import { log } from "#app/web/log.server.ts";
import type { ObserveQuery } from "#db/self-healing-pool.server.ts";
import type { Metrics } from "./recorder.ts";

const maxStatementLength = 2_000;

/**
 * Observes each SQL statement: logs one that takes `slowQueryMs` or longer (0: none), with its text, and passes it to
 * metrics and traces if they are on.
 */
export function observeQueries({
  slowQueryMs,
  metrics,
}: {
  slowQueryMs: number;
  metrics: Metrics | undefined;
}): ObserveQuery {
  return (text, { requestId, job }) => {
    let begin = 0;
    const span = observers().beginSpan?.({
      name: commandOf(text),
      kind: "client",
      attributes: { "db.system.name": "postgresql", "db.query.text": statementText(text) },
    });
    return {
      sent() {
        begin = performance.now();
      },
      settled(hasFailed) {
        const milliseconds = performance.now() - begin;
        const isSlow = slowQueryMs > 0 && milliseconds >= slowQueryMs;
        metrics?.queryEnded({ seconds: milliseconds / 1_000, isSlow });
        span?.end({ hasFailed });
        if (!isSlow) return;
        const statement = statementText(text);
        log.warn("slow query", { requestId, job, milliseconds: Math.round(milliseconds), statement });
      },
    };
  };
}

/**
 * Returns a statement's text for logs: on one line, 2,000 characters at most. Values are parameters and not part of it;
 * literals other than the product's own words are replaced all the same.
 */
export function statementText(text: string): string {
  const line = text
    .slice(0, 2 * maxStatementLength)
    .replace(/'(?:[^']|'')*(?:'|$)/g, (literal) => (/^'[a-z_]{0,40}'$/.test(literal) ? literal : "'…'"))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxStatementLength ? `${line.slice(0, maxStatementLength)}…` : line;
}

/** The first word of a statement: a bounded set of names. */
function commandOf(text: string): string {
  const [, word = ""] = /^\s*(\w+)/.exec(text) ?? [];
  return /^(select|insert|update|delete|with|copy|set|lock)$/i.test(word) ? word.toUpperCase() : "SQL";
}
