import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type LookupFunction, type Server } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import { type OutboundRequest, openOutbound, sendOutbound } from "#app/outbound/send-outbound.server.ts";
import { sendWithRetry } from "#app/outbound/send-with-retry.server.ts";

describe("allowed URLs", () => {
  test.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0177.0.0.1",
    "http://0.0.0.0",
    "http://[::1]",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[64:ff9b::7f00:1]",
    "http://[fd00::1]",
    "http://[fe80::1]",
    "http://10.0.0.1",
    "http://172.16.0.1",
    "http://192.168.1.1",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1",
    "http://224.0.0.1",
    "https://127.0.0.1",
    "http://localhost",
  ])("%s is not public", async (url) => {
    const { port, requestCount } = await aServer((_request, response) => response.end("inside"));
    const inside = new URL(url);
    inside.port = port;
    await expect(sendOutbound({ url: inside, allowPrivate: false })).rejects.toMatchObject({
      problem: "refused_address",
    });
    expect(requestCount()).toBe(0);
  });

  test("a name is checked by what it resolves to at the connection, each time", async () => {
    const { port, requestCount } = await aServer((_request, response) => response.end("inside"));
    const lookup = vi.fn(resolvingTo("127.0.0.1"));
    const url = `http://shop.example:${port}/`;
    // The control: where private addresses are allowed, the name resolves to one.
    expect((await sendOutbound({ url, lookup, allowPrivate: true })).body.toString()).toBe("inside");
    await expect(sendOutbound({ url, lookup, allowPrivate: false })).rejects.toMatchObject({
      problem: "refused_address",
    });
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(requestCount()).toBe(1);
  });

  test("a redirect is returned and not followed", async () => {
    const { origin, requestCount } = await aServer((request, response) => {
      response.writeHead(request.url === "/" ? 302 : 200, { Location: "/secret" }).end();
    });
    expect(await send({ url: origin })).toMatchObject({ status: 302 });
    expect(requestCount()).toBe(1);
  });

  test.each(["ftp://example.com", "file:///etc/passwd", "//example.com", "", "http://user:pass@example.com"])(
    "%s is not a valid URL",
    async (url) => {
      await expect(sendOutbound({ url })).rejects.toMatchObject({ problem: "malformed_url" });
    },
  );
});

describe("responses", () => {
  test("a body and headers are sent, and the response returned", async () => {
    const { origin } = await aServer(async (request, response) => {
      const sent = [];
      for await (const chunk of request) sent.push(chunk);
      response.setHeader("X-Seen", String(request.headers.authorization));
      response.end(JSON.stringify({ method: request.method, sent: Buffer.concat(sent).toString() }));
    });
    const response = await send({ url: origin, method: "POST", body: "größe", headers: { Authorization: "Bearer k" } });
    expect(response.headers["x-seen"]).toBe("Bearer k");
    expect(readJson(response, z.object({ method: z.string(), sent: z.string() }))).toEqual({
      method: "POST",
      sent: "größe",
    });
  });

  test("a response that is too large, too slow or cut off is an error", async () => {
    const { origin } = await aServer((request, response) => {
      if (request.url === "/large") response.end("x".repeat(2_000));
      if (request.url === "/slow") response.write("x");
      if (request.url === "/cut") {
        response.writeHead(200, { "Content-Length": "10" }).write("x");
        setTimeout(() => response.destroy(), 10);
      }
    });
    await expect(send({ url: `${origin}/large`, bytes: 1_000 })).rejects.toMatchObject({ problem: "too_large" });
    await expect(send({ url: `${origin}/slow`, timeoutMs: 100 })).rejects.toMatchObject({ problem: "timed_out" });
    await expect(send({ url: `${origin}/cut` })).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("a body that would end with the connection is too slow when the time is over", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\nhalf of it"));
    });
    const origin = await listening(server);
    onTestFinished(() => void server.close());
    await expect(send({ url: origin, timeoutMs: 200 })).rejects.toMatchObject({ problem: "timed_out" });
    const { pieces } = await openOutbound({ url: origin, allowPrivate: true, timeoutMs: 200 });
    const readAll = async () => {
      for await (const piece of pieces) expect(piece.toString()).toBe("half of it");
    };
    await expect(readAll()).rejects.toMatchObject({ problem: "timed_out" });
  });

  test("a server that switches protocols ends the request", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write(switchingProtocols));
    });
    const origin = await listening(server);
    onTestFinished(() => void server.close());
    await expect(send({ url: origin })).rejects.toMatchObject({ problem: "unreachable" });
    await expect(openOutbound({ url: origin, allowPrivate: true })).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("an unexpected response format is reported without its content", async () => {
    const body = Buffer.from('{"email":"marker@example.com"}');
    const read = () => readJson({ body }, z.object({ data: z.array(z.string()) }));
    expect(read).toThrow(OutboundError);
    expect(read).not.toThrow(/marker/);
    expect(() => readJson({ body: Buffer.from("<html>") }, z.unknown())).toThrow(OutboundError);
  });

  test("an aborted request has the caller's own reason", async () => {
    const { origin } = await aServer(() => {});
    const stop = new AbortController();
    const sent = send({ url: origin, signal: stop.signal });
    stop.abort(new Error("no longer wanted"));
    await expect(sent).rejects.toThrow("no longer wanted");
  });

  test("a download that is aborted has the caller's own reason, before it arrives and while it does", async () => {
    const { origin } = await aServer((request, response) => {
      if (request.url === "/half") response.write("half of it");
    });
    const stop = new AbortController();
    const open = (path: string) => openOutbound({ url: origin + path, allowPrivate: true, signal: stop.signal });
    const waiting = expect(open("/never")).rejects.toThrow("no longer wanted");
    const { pieces } = await open("/half");
    const readAll = async () => {
      for await (const piece of pieces) {
        expect(piece.toString()).toBe("half of it");
        stop.abort(new Error("no longer wanted"));
      }
    };
    await expect(readAll()).rejects.toThrow("no longer wanted");
    await waiting;
  });
});

describe("retries", () => {
  test("wait as long as Retry-After says, and double their own pauses", async () => {
    const attempts: [number, string?][] = [[429, "3"], [503], [500], [200]];
    const { origin } = await aServer((_request, response) => {
      const [status, after] = attempts.shift() ?? [200];
      response.writeHead(status, after ? { "Retry-After": after } : {}).end();
    });
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const response = await sendWithRetry({ url: origin, allowPrivate: true }, { sleep: pause });
    expect(response.status).toBe(200);
    expect(pauses[0]).toBe(3_000);
    expect(pauses[1]).toBeGreaterThanOrEqual(750);
    expect(pauses[1]).toBeLessThanOrEqual(1_250);
    expect(pauses[2]).toBeGreaterThanOrEqual(1_500);
  });

  test("end with the last response, or the last error", async () => {
    const { origin, requestCount, stop } = await aServer((_request, response) => response.writeHead(503).end());
    const pause = async () => {};
    expect(await sendWithRetry({ url: origin, allowPrivate: true }, { sleep: pause, maxAttempts: 3 })).toMatchObject({
      status: 503,
    });
    expect(requestCount()).toBe(3);
    await stop();
    await expect(
      sendWithRetry({ url: origin, allowPrivate: true }, { sleep: pause, maxAttempts: 2 }),
    ).rejects.toMatchObject({
      problem: "unreachable",
    });
  });

  test("stay within the time that a person waits, pauses included", async () => {
    const { origin, requestCount } = await aServer((_request, response) => response.writeHead(503).end());
    const pause = vi.fn(async () => {});
    await sendWithRetry({ url: origin, allowPrivate: true }, { sleep: pause, deadlineMs: 300 });
    expect([requestCount(), pause.mock.calls.length]).toEqual([1, 0]);
    const slow = await aServer(() => {});
    const pending = sendWithRetry({ url: slow.origin, allowPrivate: true }, { sleep: pause, deadlineMs: 100 });
    await expect(pending).rejects.toMatchObject({ problem: "timed_out" });
  });

  test("are not made once the process stops, whose last outcome counts", async () => {
    const [stop, end] = [new AbortController(), new AbortController()];
    const { origin, requestCount } = await aServer((_request, response) => {
      response.writeHead(503, { "Retry-After": "50" }).end();
      response.on("close", () => (requestCount() === 1 ? stop : end).abort());
    });
    const request = { url: origin, allowPrivate: true };
    expect(await sendWithRetry(request, { stopping: stop.signal })).toMatchObject({ status: 503 });
    expect(requestCount()).toBe(1);
    const unwanted = sendWithRetry({ ...request, signal: end.signal });
    await expect(unwanted).rejects.toThrow("This operation was aborted");
    expect(requestCount()).toBe(2);
  });

  test("do not wait an hour for a server, nor repeat permanent failures", async () => {
    const pause = vi.fn(async () => {});
    const busy = await aServer((_request, response) => response.writeHead(429, { "Retry-After": "3600" }).end());
    expect(await sendWithRetry({ url: busy.origin, allowPrivate: true }, { sleep: pause })).toMatchObject({
      status: 429,
    });
    const closed = await aServer((_request, response) => response.writeHead(401).end());
    expect(await sendWithRetry({ url: closed.origin, allowPrivate: true }, { sleep: pause })).toMatchObject({
      status: 401,
    });
    await expect(
      sendWithRetry({ url: "http://10.0.0.1", allowPrivate: false }, { sleep: pause }),
    ).rejects.toMatchObject({
      problem: "refused_address",
    });
    expect(pause).not.toHaveBeenCalled();
  });
});

const switchingProtocols = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

const send = (request: OutboundRequest) => sendOutbound({ allowPrivate: true, ...request });

async function aServer(listener: RequestListener) {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    return listener(request, response);
  });
  const origin = await listening(server);
  const stop = () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  onTestFinished(stop);
  return { port: new URL(origin).port, origin, requestCount: () => requestCount, stop };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
}

function resolvingTo(address: string): LookupFunction {
  return (_name, options, done) => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4));
}
