import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import { get as getByTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { freePort } from "#tests/support/servers/app-server.ts";
import { awaitPort } from "#tests/support/servers/await-port.ts";
import { hasCaddy, hasNginx, nginxArguments } from "#tests/support/servers/shipped-proxies.ts";

const idsSchema = z.object({ requestId: z.string().optional(), traceparent: z.string().optional() });

describe("while versions are replaced", () => {
  const body = (port: number) => `of ${port}`;
  let ports: [number, number];
  let proxyPort: number;
  /** Each has an asset that the other does not have, and pages. */
  beforeAll(async () => {
    const versions = [0, 1].map((version) =>
      createServer((request, response) => {
        const { localPort = 0 } = request.socket;
        if (request.url === "/ids") {
          const { "x-request-id": requestId, traceparent } = request.headers;
          return response.end(JSON.stringify({ requestId, traceparent }));
        }
        const isThere = ["/readyz", "/", "/metrics", `/assets/of-version-${version}.js`].includes(request.url ?? "");
        response.writeHead(isThere ? 200 : 404).end(body(localPort));
      }).listen(0, "127.0.0.1"),
    );
    await Promise.all(versions.map((server) => once(server, "listening")));
    const [first = 0, second = 0] = versions.map(
      (server) => z.object({ port: z.number() }).parse(server.address()).port,
    );
    ports = [first, second];
    proxyPort = await freePort();
    return async () => {
      for (const server of versions) server.close();
      for (const server of versions) server.closeAllConnections();
    };
  });
  const withPorts = (text: string) =>
    text.replaceAll("127.0.0.1:3000", `127.0.0.1:${ports[0]}`).replaceAll("127.0.0.1:3001", `127.0.0.1:${ports[1]}`);

  async function expectAssetsOfBoth(ask: Ask): Promise<void> {
    for (const [version, port] of ports.entries()) {
      // Several in a row, so that each server is tried first.
      for (let time = 0; time < 4; time += 1) {
        expect(await ask(`/assets/of-version-${version}.js`)).toEqual([200, body(port)]);
      }
    }
    expect((await ask("/assets/of-no-version.js"))[0]).toBe(404);
    expect((await ask("/"))[0]).toBe(200);
    expect((await ask("/metrics"))[0]).toBe(404);
  }

  /** The servers adopt both headers from a trusted proxy, and record the request's id in the audit trail. */
  async function expectOwnIds(ask: Ask): Promise<void> {
    const headers = {
      "X-Request-Id": "of-a-client",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    };
    const [, body] = await ask("/ids", headers);
    const { requestId, traceparent } = idsSchema.parse(JSON.parse(body));
    expect(requestId).toMatch(/^(?!of-a-client)[\w-]{20,}$/);
    expect(traceparent).toBeUndefined();
  }

  test.skipIf(!hasNginx)(
    "nginx asks the other version for a script, passes on no id of a client, lets certbot renew, and Prometheus alone read each server's metrics (needs nginx)",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "endcap-nginx-"));
      const plainPort = await freePort();
      const edit = (text: string) =>
        withPorts(text)
          .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
          .replace("listen 443 ssl http2;", `listen 127.0.0.1:${proxyPort} ssl http2;`)
          .replace("/var/www/html", folder)
          .replace("(3000|3001|", `(${ports.join("|")}|`)
          .replace("allow 203.0.113.7;", "allow 127.0.0.1;");
      const challenges = join(folder, ".well-known/acme-challenge");
      mkdirSync(challenges, { recursive: true });
      writeFileSync(join(challenges, "token"), "proof");
      const running = spawn("nginx", nginxArguments(folder, { edit, around: "daemon off; master_process off;" }));
      stopWithTest(running, folder);
      await awaitPort(proxyPort, "nginx");
      const askNginx: Ask = (path, headers) => ask(`https://127.0.0.1:${proxyPort}${path}`, { headers });
      await expectAssetsOfBoth(askNginx);
      await expectOwnIds(askNginx);
      const plain = `http://127.0.0.1:${plainPort}`;
      expect(await ask(`${plain}/.well-known/acme-challenge/token`)).toEqual([200, "proof"]);
      expect((await ask(`${plain}/advertiser`))[0]).toBe(301);
      for (const port of ports) {
        const metrics = `https://127.0.0.1:${proxyPort}/metrics/${port}`;
        expect(await ask(metrics)).toEqual([200, body(port)]);
        expect((await ask(metrics, { from: "127.0.0.2" }))[0]).toBe(403);
      }
      expect((await ask(`https://127.0.0.1:${proxyPort}/metrics/${proxyPort}`))[0]).toBe(404);
    },
  );

  test.skipIf(!hasCaddy)(
    "Caddy asks the other version for a script, and passes on no id of a client (needs Caddy)",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "endcap-caddy-"));
      const file = join(folder, "Caddyfile");
      writeFileSync(file, `{\n\tadmin off\n}\n${readFileSync(projectFile("deploy/Caddyfile"), "utf8")}`);
      const [SERVER_1, SERVER_2] = ports.map((port) => `127.0.0.1:${port}`);
      const places = { PUBLIC_URL: `http://127.0.0.1:${proxyPort}`, SERVER_1, SERVER_2 };
      const running = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], {
        env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder, ...places },
        stdio: "ignore",
      });
      stopWithTest(running, folder);
      await awaitPort(proxyPort, "caddy");
      const askCaddy: Ask = (path, headers) => ask(`http://127.0.0.1:${proxyPort}${path}`, { headers });
      await expectAssetsOfBoth(askCaddy);
      await expectOwnIds(askCaddy);
    },
  );
});

function stopWithTest(running: ChildProcess, folder: string): void {
  onTestFinished(async () => {
    running.kill("SIGTERM");
    await once(running, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
}

type Response = [status: number, body: string];
/** Sends a request to a path of the proxy. */
type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;

/** `from` is the client's own address. */
function ask(
  url: string,
  { from, headers = {} }: { from?: string; headers?: Record<string, string> | undefined } = {},
): Promise<Response> {
  return new Promise((done, fail) => {
    const answered = (response: IncomingMessage) =>
      text(response).then((body) => done([response.statusCode ?? 0, body]), fail);
    const options = { agent: false, rejectUnauthorized: false, headers, ...(from && { localAddress: from }) };
    const asked = url.startsWith("https:") ? getByTls(url, options, answered) : get(url, options, answered);
    asked.on("error", fail);
  });
}
