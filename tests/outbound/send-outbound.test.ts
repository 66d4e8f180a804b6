import { createServer, type RequestListener } from "node:http";
import type { LookupFunction } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import { type OutboundRequest, sendOutbound } from "#app/outbound/send-outbound.server.ts";
import { sendPatiently } from "#app/outbound/send-patiently.server.ts";

describe("which addresses are asked", () => {
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
  ])("%s is none of the public net", async (url) => {
    const { port, asked } = await aServer((_request, response) => response.end("inside"));
    const inside = new URL(url);
    inside.port = String(port);
    await expect(sendOutbound({ url: inside, allowPrivate: false })).rejects.toMatchObject({
      problem: "refused_address",
    });
    expect(asked()).toBe(0);
  });

  test("a name is judged by what it resolves to at the connection, each time", async () => {
    const { port, asked } = await aServer((_request, response) => response.end("inside"));
    const lookup = vi.fn(resolvingTo("127.0.0.1"));
    const url = `http://shop.example:${port}/`;
    // The control: where it is allowed, the name leads inside.
    expect((await sendOutbound({ url, lookup, allowPrivate: true })).body.toString()).toBe("inside");
    await expect(sendOutbound({ url, lookup, allowPrivate: false })).rejects.toMatchObject({
      problem: "refused_address",
    });
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(asked()).toBe(1);
  });

  test("a redirect is an answer, and followed by nobody", async () => {
    const { origin, asked } = await aServer((request, response) => {
      response.writeHead(request.url === "/" ? 302 : 200, { Location: "/secret" }).end();
    });
    expect(await send({ url: origin })).toMatchObject({ status: 302 });
    expect(asked()).toBe(1);
  });

  test.each(["ftp://example.com", "file:///etc/passwd", "//example.com", "", "http://user:pass@example.com"])(
    "%s is no address to ask",
    async (url) => {
      await expect(sendOutbound({ url })).rejects.toMatchObject({ problem: "malformed_url" });
    },
  );
});

describe("what an answer may be", () => {
  test("a body and headers arrive, and so does the answer", async () => {
    const { origin } = await aServer(async (request, response) => {
      const sent = [];
      for await (const chunk of request) sent.push(chunk);
      response.setHeader("X-Seen", String(request.headers.authorization));
      response.end(JSON.stringify({ method: request.method, sent: Buffer.concat(sent).toString() }));
    });
    const answer = await send({ url: origin, method: "POST", body: "größe", headers: { Authorization: "Bearer k" } });
    expect(answer.headers["x-seen"]).toBe("Bearer k");
    expect(readJson(answer, z.object({ method: z.string(), sent: z.string() }))).toEqual({
      method: "POST",
      sent: "größe",
    });
  });

  test("one that is too large, too slow or cut off is none", async () => {
    const { origin } = await aServer((request, response) => {
      if (request.url === "/large") response.end("x".repeat(2_000));
      if (request.url === "/slow") response.write("x");
      if (request.url === "/cut") {
        response.writeHead(200, { "Content-Length": "10" }).write("x");
        setTimeout(() => response.destroy(), 10);
      }
    });
    await expect(send({ url: `${origin}/large`, bytes: 1_000 })).rejects.toMatchObject({ problem: "too_large" });
    await expect(send({ url: `${origin}/slow`, milliseconds: 100 })).rejects.toMatchObject({ problem: "timed_out" });
    await expect(send({ url: `${origin}/cut` })).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("another shape than was documented is told without what it holds", async () => {
    const body = Buffer.from('{"email":"marker@example.com"}');
    const read = () => readJson({ body }, z.object({ data: z.array(z.string()) }));
    expect(read).toThrow(OutboundError);
    expect(read).not.toThrow(/marker/);
    expect(() => readJson({ body: Buffer.from("<html>") }, z.unknown())).toThrow(OutboundError);
  });

  test("whoever stops waiting is told his own reason", async () => {
    const { origin } = await aServer(() => {});
    const stop = new AbortController();
    const sent = send({ url: origin, signal: stop.signal });
    stop.abort(new Error("no longer wanted"));
    await expect(sent).rejects.toThrow("no longer wanted");
  });
});

describe("patience", () => {
  test("waits as long as it is asked to, and doubles its own pauses", async () => {
    const turns: [number, string?][] = [[429, "3"], [503], [500], [200]];
    const { origin } = await aServer((_request, response) => {
      const [status, after] = turns.shift() ?? [200];
      response.writeHead(status, after ? { "Retry-After": after } : {}).end();
    });
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const answer = await sendPatiently({ url: origin, allowPrivate: true }, { pause });
    expect(answer.status).toBe(200);
    expect(pauses[0]).toBe(3_000);
    expect(pauses[1]).toBeGreaterThanOrEqual(750);
    expect(pauses[1]).toBeLessThanOrEqual(1_250);
    expect(pauses[2]).toBeGreaterThanOrEqual(1_500);
  });

  test("ends with the last answer, or the last error", async () => {
    const { origin, asked, stop } = await aServer((_request, response) => response.writeHead(503).end());
    const pause = async () => {};
    expect(await sendPatiently({ url: origin, allowPrivate: true }, { pause, tries: 3 })).toMatchObject({
      status: 503,
    });
    expect(asked()).toBe(3);
    await stop();
    await expect(sendPatiently({ url: origin, allowPrivate: true }, { pause, tries: 2 })).rejects.toMatchObject({
      problem: "unreachable",
    });
  });

  test("keeps within the time that a person waits, pauses included", async () => {
    const { origin, asked } = await aServer((_request, response) => response.writeHead(503).end());
    const pause = vi.fn(async () => {});
    await sendPatiently({ url: origin, allowPrivate: true }, { pause, within: 300 });
    expect([asked(), pause.mock.calls.length]).toEqual([1, 0]);
    const slow = await aServer(() => {});
    const asking = sendPatiently({ url: slow.origin, allowPrivate: true }, { pause, within: 100 });
    await expect(asking).rejects.toMatchObject({ problem: "timed_out" });
  });

  test("does not wait for a server that asks for an hour, nor repeat what will not change", async () => {
    const pause = vi.fn(async () => {});
    const busy = await aServer((_request, response) => response.writeHead(429, { "Retry-After": "3600" }).end());
    expect(await sendPatiently({ url: busy.origin, allowPrivate: true }, { pause })).toMatchObject({ status: 429 });
    const closed = await aServer((_request, response) => response.writeHead(401).end());
    expect(await sendPatiently({ url: closed.origin, allowPrivate: true }, { pause })).toMatchObject({ status: 401 });
    await expect(sendPatiently({ url: "http://10.0.0.1", allowPrivate: false }, { pause })).rejects.toMatchObject({
      problem: "refused_address",
    });
    expect(pause).not.toHaveBeenCalled();
  });
});

const send = (request: OutboundRequest) => sendOutbound({ allowPrivate: true, ...request });

async function aServer(listener: RequestListener) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    return listener(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const stop = () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  onTestFinished(stop);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const { port } = address;
  return { port, origin: `http://127.0.0.1:${port}`, asked: () => asked, stop };
}

function resolvingTo(address: string): LookupFunction {
  return (_name, options, done) => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4));
}
