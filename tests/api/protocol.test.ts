import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { endpoints } from "#app/api/endpoints.ts";
import * as listVerb from "#app/domain/campaigns/list-campaigns.server.ts";
import * as logs from "#app/web/log.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { member, origin, send, visit } from "./api.ts";

useDatabase();

const request = (path: string, init: RequestInit = {}) => send(new Request(`${origin}${path}`, init));
const errorOf = async (response: Response) => (await response.json()).error;

async function poster() {
  const { api } = await member("advertiser");
  return (body: BodyInit, type: string | null = "application/json") =>
    request("/api/campaigns", {
      method: "POST",
      body,
      headers: { ...api.headers, ...(type === null ? {} : { "Content-Type": type }) },
    });
}

describe("paths and methods", () => {
  test.each([
    "/api",
    "/api/",
    "/api/nothing",
    "/api/campaigns/",
    "/api/campaigns//launch",
    "/api//campaigns",
    "/api/Campaigns",
    "/api/users",
    "/api/billing/nothing",
    "/api/__proto__",
    "/api/constructor",
    "/api/campaigns/constructor/launch/more",
  ])("%s is not an endpoint", async (path) => {
    const response = await request(path);
    expect([response.status, await errorOf(response)]).toEqual([
      404,
      { code: "not_found", message: "No such endpoint. See /api/openapi.json." },
    ]);
  });

  test("another method gets 405 and the list of allowed methods", async () => {
    const table = Object.keys(endpoints).map((name) => name.split(" "));
    for (const path of new Set(table.map(([, path = ""]) => path))) {
      const there = table.filter((row) => row[1] === path).map(([method]) => method);
      const allow = [...there, ...(there.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
      const url = path.replace("{id}", "some");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((verb) => !there.includes(verb))) {
        const response = await request(url, { method });
        expect([method, response.status, (await errorOf(response)).code]).toEqual([method, 405, "method_not_allowed"]);
        expect(response.headers.get("Allow")?.split(", ").sort()).toEqual(allow);
      }
      const options = await request(url, { method: "OPTIONS" });
      expect([options.status, await options.text()]).toEqual([204, ""]);
      expect(options.headers.get("Allow")?.split(", ").sort()).toEqual(allow);
      expect([...options.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("HEAD is GET without a body", async () => {
    const { api } = await member("advertiser");
    const head = await request("/api/campaigns", { method: "HEAD", headers: api.headers });
    const get = await request("/api/campaigns", { headers: api.headers });
    expect([head.status, await head.text(), [...head.headers]]).toEqual([200, "", [...get.headers]]);
    expect((await request("/api/campaigns", { method: "HEAD" })).status).toBe(401);
  });

  test("responses are JSON and are not cached", async () => {
    for (const response of [await visit("GET /api/openapi.json", {}), await visit("GET /api/users/me", {})]) {
      expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      expect(response.headers.get("Vary")).toBe("Authorization");
    }
  });
});

describe("bodies", () => {
  test("a body over 64 KB is rejected before it is parsed, whatever Content-Length says", async () => {
    const post = await poster();
    const fits = JSON.stringify({ ignored: "x".repeat(64 * 1024 - 14) });
    expect(fits.length).toBe(64 * 1024);
    expect((await post(fits)).status).toBe(201);
    const large = await post(`${fits} `);
    expect([large.status, (await errorOf(large)).code]).toEqual([413, "too_large"]);
  });

  test("a content type other than JSON gets 415", async () => {
    const post = await poster();
    for (const type of [
      null,
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonp",
    ]) {
      const response = await post('{"name":"x"}', type);
      expect([type, response.status, (await errorOf(response)).code]).toEqual([type, 415, "unsupported_media_type"]);
    }
    expect((await post('{"name":"x"}', "Application/JSON; charset=utf-8")).status).toBe(201);
    expect((await post("", null)).status).toBe(201);
  });

  test("a compressed body gets 415 and the reason, JSON and files alike", async () => {
    const { api } = await member("advertiser");
    const compressed = gzipSync('{"name":"x"}');
    for (const [path, type] of [
      ["/api/campaigns", "application/json"],
      ["/api/creatives", "multipart/form-data; boundary=x"],
    ] as const) {
      const headers = { ...api.headers, "Content-Type": type, "Content-Encoding": "gzip" };
      const response = await request(path, { method: "POST", body: new Uint8Array(compressed), headers });
      const { code, message } = await errorOf(response);
      expect([response.status, code, message]).toEqual([
        415,
        "unsupported_media_type",
        "Send the body without compression",
      ]);
      expect(response.headers.get("Accept-Encoding")).toBe("identity");
    }
  });

  test.each([
    ["", 201],
    ["{}", 201],
    ["null", 400],
    ["[]", 400],
    ["true", 400],
    ['"text"', 400],
    ["1e999", 400],
    ["{", 400],
    ["{'name': 1}", 400],
    ['{"name":"x",}', 400],
    ["\u0000", 400],
    ["NaN", 400],
    ["[".repeat(30_000), 400],
    [`${'{"a":'.repeat(19)}{}${"}".repeat(19)}`, 201],
    [`${'{"a":'.repeat(20)}{}${"}".repeat(20)}`, 400],
  ])("the body %j gets %i", async (body, status) => {
    const response = await (await poster())(body);
    expect(response.status).toBe(status);
    if (status === 400) expect((await errorOf(response)).code).toBe("malformed");
  });

  test("bytes that are not UTF-8 are malformed", async () => {
    const post = await poster();
    expect((await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).status).toBe(400);
  });

  test("lone surrogates, NUL and other control characters in a text are rejected at its field", async () => {
    const post = await poster();
    for (const name of ["\\ud800", "a\\udfffb", "\\u0000", "\\u001b[0m", "line\\nbreak"]) {
      const response = await post(`{"name":"${name}"}`);
      expect([response.status, Object.keys((await errorOf(response)).fields)]).toEqual([422, ["name"]]);
    }
    expect((await (await post('{"name":"  Crème 🧁  "}')).json()).campaign.name).toBe("Crème 🧁");
  });

  test("a body that is cut off is malformed, and no error of ours", async () => {
    const error = vi.spyOn(logs.log, "error");
    const cut = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    const { api } = await member("advertiser");
    const headers = { ...api.headers, "Content-Type": "application/json" };
    const response = await request("/api/campaigns", { method: "POST", body: cut, duplex: "half", headers });
    expect([response.status, (await errorOf(response)).code]).toEqual([400, "malformed"]);
    expect(error).not.toHaveBeenCalled();
  });

  test("unknown keys are dropped, prototype keys too", async () => {
    const post = await poster();
    const response = await post(
      '{"name":"Plain","__proto__":{"status":"active","polluted":1},"constructor":{"prototype":{"polluted":1}},"status":"active","version":9}',
    );
    expect((await response.json()).campaign).toMatchObject({ name: "Plain", status: "draft", version: 0 });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("all errors are reported at once, by field", async () => {
    const response = await (await poster())(
      '{"budget":"much","frequency_cap_impressions":11,"geolocations":["mars","us"],"name":5}',
    );
    expect(await errorOf(response)).toEqual({
      code: "invalid_input",
      message: "Some fields are not valid",
      fields: {
        name: ["Enter text"],
        budget: ["Enter an amount in US dollars, such as 1200 or 1200.50"],
        frequency_cap_impressions: ["Enter a whole number from 1 to 10"],
        geolocations: ["Choose countries from the list"],
      },
    });
  });
});

describe("an unexpected error", () => {
  test("gets a fixed message and the request id, and no internal detail", async () => {
    const { api } = await member("advertiser");
    vi.spyOn(listVerb, "listCampaigns").mockRejectedValue(new Error("secret detail: select * from users"));
    const response = await api("GET /api/campaigns", {});
    expect([response.status, response.error]).toEqual([
      500,
      { code: "internal", message: "Something went wrong on our side. Try again.", request_id: "test-request" },
    ]);
  });

  test.each(["55P03", "57014", "57P01", "53300", "08006", "CONNECTION_CLOSED", "DATABASE_DEADLINE", "ECONNREFUSED"])(
    "a database that fails (%s) gets 503 with a retry hint",
    async (code) => {
      const { api } = await member("advertiser");
      const cause = Object.assign(new Error("no"), { code });
      vi.spyOn(listVerb, "listCampaigns").mockRejectedValue(new Error("Failed query", { cause }));
      const response = await api("GET /api/campaigns", {});
      expect([response.status, response.error?.code, response.headers.get("Retry-After")]).toEqual([
        503,
        "unavailable",
        "1",
      ]);
    },
  );
});
