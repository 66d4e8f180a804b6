import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { observers, type SpanFacts, traced } from "#app/observability/observers.server.ts";
import { sendOutbound } from "#app/outbound/send-outbound.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { openSlots } from "#db/slots.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { startTraceCollector } from "#tests/support/fakes/trace-collector.ts";
import { startWebhookReceiver } from "#tests/support/fakes/webhook-receiver.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase({ demoAt: inject("startedAt") });
const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentSpanId = "b7ad6b7169203331";
const email = "marker-7f3a@example.com";
const [server, client] = [2, 3];

describe("a server with a collector", () => {
  let collector: Awaited<ReturnType<typeof startTraceCollector>>;
  let app: AppServer;
  beforeAll(async () => {
    collector = await startTraceCollector();
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=key",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      OTEL_BSP_SCHEDULE_DELAY: "100",
      TRUSTED_PROXIES: "127.0.0.1,::1",
      RATE_LIMITS: "off",
    };
    app = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  }, 180_000);
  afterAll(async () => {
    await app?.kill();
    await collector?.stop();
  });

  /** Visits a page in a trace of its own, and returns the trace's spans when the request's has arrived. */
  async function visit(path: string, trace: string) {
    const headers = { traceparent: `00-${trace}-${parentSpanId}-01`, "X-Request-Id": `request-${trace.slice(0, 4)}` };
    await (await fetch(app.origin + path, { headers, redirect: "manual" })).text();
    return vi.waitFor(() => {
      const spans = collector.spans.filter((span) => span.traceId === trace);
      const root = spans.find(({ kind }) => kind === server);
      if (!root) throw new Error("The request's span has not arrived");
      return { spans, root };
    }, 10_000);
  }

  test("a page's trace continues the proxy's, and has its loaders and their statements", async () => {
    const { spans, root } = await visit(`/advertiser/test-mode/campaigns?search=${encodeURIComponent(email)}`, traceId);
    expect(root).toMatchObject({
      name: "GET advertiser/test-mode/campaigns",
      parentSpanId,
      service: "endcap-server",
      status: { code: 0 },
      attributes: {
        "http.request.method": "GET",
        "http.route": "advertiser/test-mode/campaigns",
        "http.response.status_code": 200,
        "url.path": "/advertiser/test-mode/campaigns",
        "endcap.request_id": "request-0af7",
      },
    });
    const loaders = spans.filter(({ name }) => name.startsWith("loader "));
    expect(loaders.map(({ name }) => name).sort()).toEqual([
      "loader advertiser/test-mode",
      "loader advertiser/test-mode/campaigns",
    ]);
    for (const loader of loaders) expect(loader.parentSpanId).toBe(root.spanId);
    const statements = spans.filter(({ kind }) => kind === client);
    expect(statements.length).toBeGreaterThan(3);
    for (const { parentSpanId: parent, attributes, name } of statements) {
      expect(loaders.map(({ spanId }) => spanId)).toContain(parent);
      expect(attributes["db.system.name"]).toBe("postgresql");
      expect(name).toMatch(/^(SELECT|WITH|SET|INSERT|UPDATE)$/);
    }
    expect(statements.some(({ attributes }) => /\$1/.test(String(attributes["db.query.text"])))).toBe(true);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(endTimeUnixNano) >= BigInt(root.startTimeUnixNano)).toBe(true);
      expect(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano)).toBe(true);
    }
  });

  test("requests at the same time have their own statements, also those that waited for a connection", async () => {
    const traces = Array.from({ length: 30 }, (_, n) => `${String(n + 10)}${"ab".repeat(15)}`);
    const all = await Promise.all(traces.map((trace) => visit("/advertiser/test-mode/billing", trace)));
    // A busy machine sheds some.
    const visits = all.filter(({ root }) => root.attributes["http.response.status_code"] === 200);
    expect(visits.length).toBeGreaterThan(1);
    const counts = visits.map(({ spans }) => spans.filter(({ kind }) => kind === client).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    for (const { spans, root } of visits) {
      const ids = new Set([root.spanId, ...spans.map(({ spanId }) => spanId)]);
      for (const { parentSpanId: parent, kind } of spans) if (kind !== server) expect(ids).toContain(parent);
    }
    // The same page sends the same statements.
    expect(new Set(counts).size).toBe(1);
  }, 30_000);

  test("log lines have the trace's id", async () => {
    await visit("/terms", `c${traceId.slice(1)}`);
    await vi.waitFor(() =>
      expect(app.output()).toMatch(new RegExp(`"traceId":"c${traceId.slice(1)}".*"path":"/terms"`)),
    );
  });

  test("an API request's span has its endpoint, and is no error when the client's is", async () => {
    const { root } = await visit("/api/campaigns/marker-7f3a", `d${traceId.slice(1)}`);
    expect(root).toMatchObject({ name: "GET /api/campaigns/{id}", status: { code: 0 } });
    expect(root.attributes["http.response.status_code"]).toBe(401);
  });

  test("each run of a job is a trace, and requests of machines are none", async () => {
    for (const path of ["/healthz", "/readyz", "/assets/none.js"]) await fetch(app.origin + path);
    await visit("/terms", `e${traceId.slice(1)}`);
    const names = collector.spans.map(({ name }) => name);
    expect(names).toContain("job purge_sign_ins");
    expect(names.filter((name) => /healthz|readyz|assets/.test(name))).toEqual([]);
  });

  test("exports have the configured headers and resource, and no value that a person entered", async () => {
    expect(collector.requests.length).toBeGreaterThan(0);
    for (const { path, headers, body } of collector.requests) {
      expect(path).toBe("/v1/traces");
      expect(headers["x-collector-key"]).toBe("key");
      expect(body).toContain('"deployment.environment.name"');
      expect(body).not.toContain("marker-7f3a@");
      expect(body).not.toContain(encodeURIComponent("marker-7f3a@"));
    }
  });

  test("a collector that fails costs one line a minute and no request", async () => {
    collector.behavior.status = 400;
    for (let n = 0; n < 5; n += 1) {
      expect((await fetch(`${app.origin}/terms`)).status).toBe(200);
      await new Promise((done) => setTimeout(done, 250));
    }
    await vi.waitFor(() => expect(app.output().match(/"traces not sent"/g)).toHaveLength(1), 10_000);
    expect(app.output()).not.toContain(`${collector.url}/`);
    collector.behavior.status = 200;
  }, 20_000);

  test("a server that stops sends its last spans first", async () => {
    const before = collector.spans.length;
    await (await fetch(`${app.origin}/terms`)).text();
    expect(await app.stop()).toBe(0);
    expect(collector.spans.slice(before).some(({ name }) => name.startsWith("GET "))).toBe(true);
  }, 30_000);
});

describe("spans of this process", () => {
  const begun: (SpanFacts & { outcome?: unknown })[] = [];
  function observe() {
    observers().beginSpan = (facts) => {
      const span: SpanFacts & { outcome?: unknown } = { ...facts };
      begun.push(span);
      return {
        traceId,
        within: (work) => work(),
        end: (outcome) => {
          span.outcome = outcome;
        },
      };
    };
  }
  afterEach(() => {
    delete observers().beginSpan;
    begun.length = 0;
  });

  test("a request to another server is one without its path, and that server learns nothing of the trace", async () => {
    observe();
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    await sendOutbound({ url: `${receiver.url}?key=secret`, allowPrivate: true });
    expect(begun).toEqual([
      {
        name: "GET 127.0.0.1",
        kind: "client",
        attributes: { "http.request.method": "GET", "server.address": "127.0.0.1" },
        outcome: { attributes: { "http.response.status_code": 200 } },
      },
    ]);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.stringify(receiver.received)).not.toMatch(/traceparent|tracestate|0af7651916/);
  });

  test("an error fails its span by name only, and a response that is thrown does not", async () => {
    observe();
    await expect(traced({ name: "a" }, () => Promise.reject(new TypeError(email)))).rejects.toThrow(email);
    await expect(
      traced({ name: "b" }, () => Promise.reject(new Response(null, { status: 302 }))),
    ).rejects.toBeInstanceOf(Response);
    expect(begun.map(({ outcome }) => outcome)).toEqual([
      { hasFailed: true, attributes: { "error.type": "TypeError" } },
      {},
    ]);
  });

  test("work that waited for a connection runs in its own context", async () => {
    const context = new AsyncLocalStorage<string>();
    const slots = openSlots(1);
    const seen = await Promise.all(
      ["one", "two", "three"].map((name) =>
        context.run(name, () =>
          slots.use(async () => {
            await new Promise((done) => setTimeout(done, 5));
            return [name, context.getStore()];
          }, 1_000),
        ),
      ),
    );
    expect(seen).toEqual([
      ["one", "one"],
      ["two", "two"],
      ["three", "three"],
    ]);
  });
});

test("no program loads the libraries of metrics and traces before they are switched on", () => {
  const folder = projectFile("build/server");
  for (const program of ["start.js", "worker.js", "index.js"]) {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const follow = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const code = readFileSync(file, "utf8");
      for (const [, name = ""] of code.matchAll(/^(?:import|export)\b[^"';]*?(?:from )?"([^"]+)";?$/gm)) {
        if (name.startsWith(".")) follow(join(dirname(file), name));
        else packages.add(name);
      }
    };
    follow(join(folder, program));
    // `start.js` imports the server when it has read the environment.
    const imported = [...readFileSync(join(folder, program), "utf8").matchAll(/import\("(\.[^"]+)"\)/g)];
    for (const [, name = ""] of imported) follow(join(folder, name));
    expect(packages.size).toBeGreaterThan(3);
    expect([...packages].filter((name) => /^(@opentelemetry|prom-client)/.test(name))).toEqual([]);
  }
});
