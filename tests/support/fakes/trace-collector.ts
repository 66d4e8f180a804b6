import { createServer } from "node:http";
import { z } from "zod";

const attributeSchema = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
});

const spanSchema = z
  .object({
    traceId: z.string().regex(/^[0-9a-f]{32}$/),
    spanId: z.string().regex(/^[0-9a-f]{16}$/),
    parentSpanId: z.string().optional(),
    name: z.string(),
    kind: z.number(),
    startTimeUnixNano: z.string(),
    endTimeUnixNano: z.string(),
    attributes: z.array(attributeSchema),
    status: z.object({ code: z.number() }),
  })
  .transform(({ attributes, ...span }) => ({ ...span, attributes: valuesOf(attributes) }));

/** The part of OTLP's ExportTraceServiceRequest (JSON) that is looked at. */
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

function valuesOf(attributes: z.output<typeof attributeSchema>[]): Record<string, string | number | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

type CollectedSpan = z.output<typeof spanSchema> & { service: string | number | undefined };

/** Starts an OTLP/HTTP collector that decodes what it receives, and rejects what is no export of traces. */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const requests: { path: string; headers: Record<string, unknown>; body: string }[] = [];
  const behavior = { status: 200 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      const service = valuesOf(resource.attributes)["service.name"];
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
    }
    response.writeHead(behavior.status, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The collector has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    requests,
    behavior,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
