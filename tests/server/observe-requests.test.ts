import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test, vi } from "vitest";
import { log } from "#app/web/log.server.ts";
import { observeRequests } from "#server/http/observe-requests.ts";

test("requests have a line in the log, but not those of machines that find all well", async () => {
  const lines: string[] = [];
  vi.spyOn(log, "info").mockImplementation((_message, { path, status } = {}) => void lines.push(`${path} ${status}`));
  let readiness = 200;
  const app = express();
  app.use(observeRequests(undefined));
  app.use((request, response) => void response.sendStatus(request.path === "/readyz" ? readiness : 200));
  const server = app.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const path of ["/advertiser/login?next=x", "/assets/a.js", "/healthz", "/metrics", "/readyz"]) {
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  }
  readiness = 503;
  await (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  expect(lines).toEqual(["/advertiser/login 200", "/readyz 503"]);
});
