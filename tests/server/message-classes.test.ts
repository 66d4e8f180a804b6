import { once } from "node:events";
import { createServer } from "node:http";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { adoptMessageClasses, createMessageClasses } from "#server/http/message-classes.ts";

test("Express finds its methods on requests and responses without a change of their prototypes", async () => {
  const messages = createMessageClasses();
  const app = express();
  adoptMessageClasses(app, messages);
  const seen: unknown[] = [];
  const server = createServer(messages, (request, response) => {
    seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
  });
  app.use((request, response) => {
    seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.set("X-Same", String(request.app === app && response.app === app)).json(request.query);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const answer = await fetch(`http://127.0.0.1:${port}/?a=1`);
  expect(answer.headers.get("X-Same")).toBe("true");
  expect(await answer.json()).toEqual({ a: "1" });
  expect(seen[2]).toBe(seen[0]);
  expect(seen[3]).toBe(seen[1]);
});
