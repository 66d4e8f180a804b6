import { once } from "node:events";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { readEnv } from "#app/env.server.ts";
import { identifyRequests } from "#server/http/request-identity.ts";
import { testSecret } from "#tests/support/test-secret.ts";

const trace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

/** Returns the id and the trace that a request through a trusted proxy gets, which sent both headers. */
async function identityOf(variables: Record<string, string>) {
  const settings = readEnv({ SESSION_SECRET: testSecret, TRUSTED_PROXIES: "127.0.0.1", ...variables });
  const app = express();
  app.set("trust proxy", settings.trustedProxies);
  app.use(identifyRequests(settings));
  app.use((request, response) => {
    const { requestId, traceParent } = response.locals;
    response.json({ requestId, traceParent, header: request.get("X-Request-Id") });
  });
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { "X-Request-Id": "chosen-by-a-client", traceparent: trace },
  });
  return z
    .object({ requestId: z.string(), header: z.string(), traceParent: z.string().optional() })
    .parse(await response.json());
}

test("the ids of a trusted proxy are adopted", async () => {
  expect(await identityOf({})).toEqual({
    requestId: "chosen-by-a-client",
    header: "chosen-by-a-client",
    traceParent: trace,
  });
});

test("a proxy that passes on what clients send cannot choose ids with PROXY_REQUEST_IDS=off", async () => {
  const { requestId, header, traceParent } = await identityOf({ PROXY_REQUEST_IDS: "off" });
  expect(requestId).toMatch(/^[\w-]{12}$/);
  expect(header).toBe(requestId);
  expect(traceParent).toBeUndefined();
});
