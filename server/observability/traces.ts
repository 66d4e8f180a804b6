import { context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { observers, type SpanAttributes } from "#app/observability/observers.server.ts";
import { log } from "#app/web/log.server.ts";
import type { Program } from "./recorder.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
/** The shortest time between two lines about a collector that takes no traces, in milliseconds. */
const complainEveryMs = 60_000;
/** How long a process that ends waits for the collector, in milliseconds. */
const lastSendMs = 2_000;

type TraceOptions = {
  program: Program;
  version: string;
  /** The base URL of an OTLP/HTTP collector. */
  endpoint: string;
};

/**
 * Sends spans to a collector (OTLP/HTTP, JSON) from now on, in batches and besides the requests. The SDK reads the
 * standard variables `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME` and
 * `OTEL_TRACES_SAMPLER` by itself.
 */
export function startTraces({ program, version, endpoint }: TraceOptions): { stop: () => Promise<void> } {
  reportFailures();
  const named = resourceFromAttributes({ "service.name": `endcap-${program}`, "service.version": version });
  const provider = new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` })),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer("endcap", version);
  Object.assign(observers(), {
    beginSpan(...[{ name, kind, attributes = {} }, traceParent]: Parameters<BeginSpan>) {
      const parent = traceParent === undefined ? context.active() : remoteParent(traceParent);
      const span = tracer.startSpan(
        name,
        { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes: known(attributes) },
        parent,
      );
      const own = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        within: (work) => context.with(own, work),
        end({ name: finalName, attributes: found = {}, hasFailed = false } = {}) {
          if (finalName !== undefined) span.updateName(finalName);
          span.setAttributes(known(found));
          // Without a message, which may contain what a person entered.
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  } satisfies ReturnType<typeof observers>);
  return {
    async stop() {
      const late = new Promise<void>((resolve) => void setTimeout(resolve, lastSendMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

type BeginSpan = NonNullable<ReturnType<typeof observers>["beginSpan"]>;

/** The header has been validated when it was adopted. */
function remoteParent(traceParent: string) {
  const [, traceId = "", spanId = "", flags = ""] = traceParent.split("-");
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function known(attributes: SpanAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Logs that traces were not sent, without the SDK's message, which may contain the collector's URL and its credentials.
 */
function reportFailures(): void {
  let complainedAt = Number.NEGATIVE_INFINITY;
  const complain = () => {
    if (performance.now() - complainedAt < complainEveryMs) return;
    complainedAt = performance.now();
    log.warn("traces not sent", { code: "OTEL_EXPORTER_OTLP_ENDPOINT" });
  };
  // The SDK's own handler walks the prototypes of an error, which `--disable-proto=throw` forbids, and then says
  // nothing.
  setGlobalErrorHandler(complain);
  const ignore = () => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
