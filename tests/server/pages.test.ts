import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import compression from "compression";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendResponse } from "#server/http/pages.ts";

const chunk = new Uint8Array(65_536).fill(32);
const chunksInAll = 4_000;
let [pulled, canceled] = [0, 0];

function file({ failsAt = Number.POSITIVE_INFINITY, type = "application/pdf" } = {}): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      if (pulled === failsAt) return controller.error(new Error("the rest cannot be made"));
      if (pulled === chunksInAll) controller.close();
      else controller.enqueue(chunk);
    },
    cancel() {
      canceled += 1;
    },
  });
  return new Response(body, { headers: { "Content-Type": type } });
}

const app = express();
app.use(compression());
const routes: Record<string, () => Response> = {
  "/file": () => file(),
  "/text": () => file({ type: "text/csv" }),
  "/failing": () => file({ failsAt: 3 }),
  "/failing-text": () => file({ failsAt: 3, type: "text/csv" }),
  "/empty": () => new Response(null, { status: 204 }),
};
app.use((request, response) => {
  sendResponse(routes[request.path]?.() ?? new Response("nothing", { status: 404 }), response).catch(() => undefined);
});
let origin: string;
const server = app.listen(0, "127.0.0.1");
beforeAll(() => {
  const isAddress = (address: AddressInfo | string | null): address is AddressInfo => typeof address === "object";
  const address = server.address();
  if (isAddress(address)) origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function send(path: string): Promise<IncomingMessage> {
  [pulled, canceled] = [0, 0];
  const headers = { "Accept-Encoding": "gzip" };
  return new Promise((resolve, reject) => get(origin + path, { headers }, resolve).on("error", reject));
}

test("a client that does not read pauses the file, which continues when the client reads", async () => {
  const response = await send("/file");
  await sleep(300);
  const before = pulled;
  expect(before).toBeLessThan(chunksInAll / 4);
  await sleep(100);
  expect(pulled).toBe(before);
  let bytes = 0;
  for await (const part of response) bytes += part.length;
  expect(bytes).toBe((chunksInAll - 1) * chunk.length);
});

test.each(["/file", "/text"])("a client that disconnects ends the file: %s", async (path) => {
  const response = await send(path);
  if (path === "/text") response.resume();
  await sleep(50);
  response.destroy();
  await expect.poll(() => canceled).toBe(1);
  expect(pulled).toBeLessThan(chunksInAll);
});

test.each(["/failing", "/failing-text"])("a file that fails midway is aborted: %s", async (path) => {
  const read = async () => {
    for await (const _part of await send(path)) void _part;
  };
  await expect(read()).rejects.toThrow(/aborted|hang up|reset/);
});

test("a response without a body ends", async () => {
  expect((await send("/empty")).statusCode).toBe(204);
});
