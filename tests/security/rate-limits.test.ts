import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { newId, type WebhookId } from "#app/domain/ids.ts";
import { webhooks } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { createWorld, type World } from "#tests/support/world.ts";

/** The server as in production, behind proxies at 127.0.0.2 and 10.0.0.5; all other addresses are external. */
const db = useDatabase();
const environment = { TRUSTED_PROXIES: "127.0.0.2,10.0.0.0/8", LOG_LEVEL: "warn", WORKER: "off", DEMO_DATA: "off" };
let server: AppServer;
let world: World;
const agent = new Agent({ keepAlive: true, maxSockets: 6 });

beforeAll(async () => {
  world = await createWorld(db());
  world.setNow(new Date().toISOString());
  server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
}, 180_000);
afterAll(async () => {
  agent.destroy();
  await server?.kill();
});

type TestRequest = {
  /** Default: that of `server`. */
  port?: number;
  method?: string;
  path: string;
  /**
   * The client's address behind the proxies; by default the request comes from outside, whose headers are not trusted.
   */
  client?: string;
  headers?: Record<string, string>;
  body?: string;
};
type Reply = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

function ask({ port = server.port, method = "GET", path, client, headers = {}, body }: TestRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const forwarded = client ? { "X-Forwarded-For": `${client}, 10.0.0.5` } : {};
    const options = { host: "127.0.0.1", port, method, path, agent };
    const localAddress = client ? "127.0.0.2" : "127.0.0.1";
    const asked = request({ ...options, localAddress, headers: { ...forwarded, ...headers } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on("error", reject).end(body);
  });
}

async function askTimes(count: number, asked: (n: number) => TestRequest): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => ask(asked(n))));
}

/** Expects that exactly the budget was accepted and that each rejection has a Retry-After. */
function expectLimited(replies: Reply[], { cost, quota, code }: { cost: string; quota: number; code: RegExp }) {
  const refused = replies.filter(({ status }) => status === 429);
  const acceptedCount = replies.length - refused.length;
  expect(acceptedCount).toBeGreaterThanOrEqual(quota);
  // Allows for tokens that were refilled meanwhile.
  expect(acceptedCount).toBeLessThan(quota * 1.5);
  for (const { headers, text } of refused) {
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(headers["ratelimit-policy"]).toBe(`"${cost}";q=${quota};w=60`);
    expect(headers.ratelimit).toMatch(new RegExp(`^"${cost}";r=0;t=60$`));
    expect(text).toMatch(code);
  }
}

const rateLimited = /"code":"rate_limited","message":"Too many requests\. Try again in (?:a second|\d+ seconds)\."/;

async function apiKeyHeaders(who: "northwind" | "harbor"): Promise<Record<string, string>> {
  const { secret } = await createApiKey(world[who], { name: "for tests" });
  return { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
}

describe("endpoints", () => {
  test("300 wrong keys from one IP address: 429, and no other address and no valid key is affected", async () => {
    const client = "198.51.100.1";
    const goodKey = await apiKeyHeaders("northwind");
    expect((await ask({ path: "/api/campaigns", client, headers: goodKey })).status).toBe(200);
    const wrong = () => ({ Authorization: `Bearer ek_${randomBytes(32).toString("base64url")}` });
    const replies = await askTimes(300, () => ({ path: "/api/campaigns", client, headers: wrong() }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expectLimited(replies, { cost: "wrong_key", quota: 60, code: rateLimited });
    expect((await ask({ path: "/api/campaigns", client: "198.51.100.2", headers: wrong() })).status).toBe(401);
    expect((await ask({ path: "/api/campaigns", client, headers: goodKey })).status).toBe(200);
  });

  test("200 creates by one key: 429, and another key of the account has its own budget", async () => {
    const headers = await apiKeyHeaders("harbor");
    const other = await apiKeyHeaders("harbor");
    const create = (n: number) => ({
      method: "POST",
      path: "/api/products",
      headers,
      body: JSON.stringify({ name: "Kettle", sku: `K-${n}`, category: "Kitchen", price: 49.9 }),
    });
    const replies = await askTimes(200, create);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 429]));
    expectLimited(replies, { cost: "write", quota: 120, code: rateLimited });
    expect((await ask({ ...create(1_000), headers: other })).status).toBe(201);
    // Reads have a budget of their own.
    expect((await ask({ path: "/api/products", headers })).status).toBe(200);
  });

  test("240 writes by one key to two servers in turn: they share one budget, plus one server's lot", async () => {
    const headers = await apiKeyHeaders("northwind");
    const second = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
    // The first server closed its idle connections while the second one started.
    agent.destroy();
    try {
      const began = performance.now();
      const [path, ports] = ["/api/products/delete", [server.port, second.port]];
      const replies = await askTimes(240, (n) => ({ port: ports[n % 2], method: "POST", path, headers, body: "{}" }));
      const seconds = (performance.now() - began) / 1_000;
      const counted = [0, 1].map((at) => replies.filter(({ status }, n) => n % 2 === at && status !== 429).length);
      const [acceptedCount, maxAccepted] = [counted.reduce((sum, count) => sum + count), 120 + 12];
      expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
      expect(Math.min(...counted), "each takes a lot at least").toBeGreaterThanOrEqual(12);
      expect(acceptedCount).toBeGreaterThanOrEqual(120);
      expect(acceptedCount, `in ${seconds} s`).toBeLessThanOrEqual(maxAccepted + 1 + (seconds * maxAccepted) / 60);
    } finally {
      await second.kill();
    }
  }, 60_000);

  test("100 tests of a webhook: 429", async () => {
    const id = newId<WebhookId>();
    const accountId = world.accountId("harbor");
    const row = { id, accountId, url: "https://example.com/", events: ["payout.paid" as const], secret: Buffer.of(0) };
    await db().insert(webhooks).values(row);
    const headers = await apiKeyHeaders("harbor");
    const replies = await askTimes(100, () => ({
      method: "POST",
      path: `/api/webhooks/${id}/test`,
      headers,
      body: "{}",
    }));
    expectLimited(replies, { cost: "costly", quota: 60, code: rateLimited });
    expect(replies.filter(({ status }) => status >= 400 && status !== 429)).toEqual([]);
  });

  test("200 requests for reach: 429", async () => {
    const headers = await apiKeyHeaders("northwind");
    const body = JSON.stringify({ audiences: [world.audience("hikers")] });
    const replies = await askTimes(200, () => ({ method: "POST", path: "/api/audiences/reach", headers, body }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expectLimited(replies, { cost: "costly", quota: 60, code: rateLimited });
  });

  test("a program that pages through 100,000 rows is never rejected", async () => {
    const headers = await apiKeyHeaders("northwind");
    for (let page = 0; page < 20; page += 1) {
      const replies = await askTimes(10, () => ({ path: "/api/campaigns?limit=500", headers }));
      expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(replies.at(-1)?.headers["ratelimit-policy"]).toBe('"read";q=3000;w=60');
    }
  });
});

describe("sign-in", () => {
  const begin = (client?: string) => ({ path: "/api/oauth/google/redirect_url", ...(client && { client }) });

  test("45 clients behind one proxy have a budget each", async () => {
    const replies = await askTimes(90, (n) => begin(`203.0.113.${(n % 45) + 1}`));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const one = await askTimes(12, () => begin("203.0.113.1"));
    expect(one.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await ask(begin("203.0.113.2"))).status).toBe(200);
  });

  test("a forged X-Forwarded-For from outside changes nobody's budget", async () => {
    const forged = await askTimes(30, (n) => ({ ...begin(), headers: { "X-Forwarded-For": `192.0.2.${n}` } }));
    const refused = forged.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(19);
    for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("pages", () => {
  test("a rate-limited form keeps its values and says why", async () => {
    const Cookie = await world.cookieOf("fern");
    const headers = { Cookie, "Content-Type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ name: "Typed with care", sku: "", price: "12.50" }).toString();
    const post = (path: string) => ({ method: "POST", path, headers, body });
    const replies = await askTimes(160, () => post("/publisher/products/create.data"));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422, 429]));
    expectLimited(replies, { cost: "write", quota: 120, code: /Too many requests/ });

    const shown = await refusedOf(post("/publisher/products/create"));
    expect(shown.text).toContain('value="Typed with care"');
    expect(shown.text).toMatch(/Too many requests\. Try again in/);
    expect(shown.headers["content-type"]).toMatch(/^text\/html/);

    // A button has no values to keep: the response is a page with the message, within the portal.
    const button = await refusedOf({ ...post("/publisher/campaigns"), body: "intent=pause" });
    expect(button.text).toMatch(/<h1[^>]*>Too many requests<\/h1>/);
    expect(button.text).toContain("Go to the dashboard");

    // The browser shows the form's message, and keeps the screen instead of showing an error screen.
    const [formData, buttonData] = [
      await refusedOf(post("/publisher/products/create.data")),
      await refusedOf({ ...post("/publisher/campaigns.data"), body: "intent=pause" }),
    ];
    expect(formData.headers).not.toHaveProperty("x-error-screen");
    expect(buttonData.headers).toHaveProperty("x-error-screen");
  });

  test("page requests at a program's rate get an error page, and other clients are not affected", async () => {
    const headers = { Cookie: await world.cookieOf("brightside") };
    const path = "/advertiser/notifications.data?_routes=advertiser%2Fnotifications";
    const replies = await askTimes(400, () => ({ path, headers }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expectLimited(replies, { cost: "page", quota: 300, code: /Too many requests/ });
    const page = await ask({ path: "/advertiser/dashboard", headers: { Cookie: await world.cookieOf("northwind") } });
    expect(page.status).toBe(200);
    expect(page.headers.ratelimit).toMatch(/^"page";r=\d+;t=\d+$/);
  });

  test("a person who clicks as fast as possible is never rejected", async () => {
    const headers = { Cookie: await world.cookieOf("northwind") };
    for (const path of ["campaigns", "billing", "products", "profile", "webhooks"].flatMap((one) => [one, one, one])) {
      expect((await ask({ path: `/advertiser/${path}`, headers })).status).toBe(200);
    }
  });

  /** Expects that one of the next few requests is rejected; the budget refills all the time. */
  async function refusedOf(asked: TestRequest): Promise<Reply> {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const reply = await ask(asked);
      if (reply.status === 429) return reply;
    }
    throw new Error(`${asked.path} was never refused`);
  }
});
