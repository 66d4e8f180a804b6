import { execFile } from "node:child_process";
import { promisify, stripVTControlCharacters } from "node:util";
import { utils, write } from "@e965/xlsx";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { formatLogLine } from "#app/log-format.ts";
import { projectFile } from "#app/project-file.server.ts";
import { audiences } from "#db/schema/index.ts";
import { demoAccountId } from "#db/seed/demo-accounts.ts";
import { statementText } from "#server/observability/observe-queries.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase({ demoAt: inject("startedAt") });
const email = "marker-7f3a@example.com";
const traceId = "0af7651916cd43dd8448eb211c80319c";

const lineSchema = z.looseObject({ level: z.number(), time: z.iso.datetime(), msg: z.string() });

function jsonLines(output: string) {
  const rows = output.split("\n").filter((row) => row.startsWith("{"));
  return rows.map((row) => lineSchema.parse(JSON.parse(row)));
}

describe("a server behind a trusted proxy", () => {
  let server: AppServer;
  beforeAll(async () => {
    const environment = {
      SLOW_QUERY_MS: "1",
      WORKER: "off",
      TRUSTED_PROXIES: "127.0.0.1,::1",
      RATE_LIMITS: "off",
      PAYMENTS: "off",
      // No folder can be made there, so that no workbook is received.
      TMPDIR: "/dev/null",
    };
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  }, 180_000);
  afterAll(() => server?.kill());

  async function requestIdFor(headers: Record<string, string>) {
    const response = await fetch(`${server.origin}/terms`, { headers });
    await response.text();
    return response.headers.get("x-request-id");
  }

  test.each(["a", "trace.1-2_3", "x".repeat(128)])(
    "adopts the request id %s, in its response and its log line",
    async (id) => {
      expect(await requestIdFor({ "X-Request-Id": id })).toBe(id);
      await vi.waitFor(() =>
        expect(jsonLines(server.output()).find((line) => line.requestId === id)?.path).toBe("/terms"),
      );
    },
  );

  test.each(["x".repeat(129), "two words", "a,b", 'quote"', "é", "{json}", " "])(
    "gives an id of its own instead of %o",
    async (id) => {
      expect(await requestIdFor({ "X-Request-Id": id })).toMatch(/^[\w-]{12}$/);
    },
  );

  test("adopts the trace of a valid traceparent, and ignores an invalid one", async () => {
    const traceOf = async (id: string, traceparent: string) => {
      await requestIdFor({ "X-Request-Id": id, traceparent });
      return vi.waitFor(() => {
        const line = jsonLines(server.output()).find(({ requestId }) => requestId === id);
        if (!line) throw new Error("no line yet");
        return line.traceId;
      });
    };
    expect(await traceOf("valid", `00-${traceId}-b7ad6b7169203331-01`)).toBe(traceId);
    for (const [index, header] of [
      `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `ff-${traceId}-b7ad6b7169203331-01`,
      `00-${traceId.toUpperCase()}-b7ad6b7169203331-01`,
      `00-${traceId}-b7ad6b7169203331-01-more`,
      "marker",
    ].entries()) {
      expect(await traceOf(`invalid-${index}`, header)).toBeUndefined();
    }
  });

  test("logs the failure of a form and of an upload with the request's id", async () => {
    const portal = `${server.origin}/publisher/test-mode`;
    const send = async (path: string, id: string, body: URLSearchParams | FormData) => {
      const headers = { "X-Request-Id": id, Origin: server.origin };
      const response = await fetch(`${portal}${path}`, { method: "POST", headers, body, redirect: "manual" });
      await response.text();
      return response.status;
    };
    expect(await send("/revenue/account", "a-form", new URLSearchParams({ token: "bank_sandbox" }))).toBe(503);
    const [audience] = await db()
      .select({ id: audiences.id })
      .from(audiences)
      .where(and(eq(audiences.publisherId, demoAccountId("harbor")), eq(audiences.status, "ready")));
    const file = new FormData();
    const book = utils.book_new(utils.aoa_to_sheet([["email"], ["jane@example.com"]]));
    file.set("file", new File([write(book, { type: "array", bookType: "xlsx" })], "people.xlsx"));
    expect(await send(`/audiences/${audience?.id}/uploads`, "an-upload", file)).toBe(503);
    await vi.waitFor(() => {
      const idsOf = (text: string) =>
        jsonLines(server.output()).flatMap(({ msg, requestId }) => (msg === text ? [requestId] : []));
      expect([idsOf("form failed"), idsOf("upload failed")]).toEqual([["a-form"], ["an-upload"]]);
    });
  });

  test("logs slow queries with the request's id and without a value that a person entered", async () => {
    const search = encodeURIComponent(`${email}'; --`);
    for (let n = 0; n < 5; n += 1) {
      const page = `${server.origin}/advertiser/test-mode/search/results?q=${search}`;
      await (await fetch(page, { headers: { "X-Request-Id": `slow-${n}` } })).text();
      const list = `${server.origin}/advertiser/test-mode/campaigns?search=${search}&q=${search}`;
      await (await fetch(list, { headers: { "X-Request-Id": `slow-${n}` } })).text();
    }
    await vi.waitFor(() => {
      const lines = jsonLines(server.output()).filter(
        ({ msg, requestId }) => msg === "slow query" && /^slow-/.test(String(requestId)),
      );
      expect(lines.length).toBeGreaterThan(0);
      for (const { statement, milliseconds } of lines) {
        expect(String(statement)).toMatch(/\$1/);
        expect(milliseconds).toBeGreaterThanOrEqual(1);
      }
    });
    expect(server.output()).not.toContain("marker-7f3a");
  });
});

describe("a server that trusts no proxy, with LOG_FORMAT=text", () => {
  let server: AppServer;
  beforeAll(async () => {
    const environment = { LOG_FORMAT: "text", DEMO_DATA: "off", WORKER: "off" };
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  }, 60_000);
  afterAll(() => server?.kill());

  test("lets nobody name a request or its trace", async () => {
    const headers = { "X-Request-Id": "forged-id", traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const response = await fetch(`${server.origin}/terms`, { headers });
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{12}$/);
    await vi.waitFor(() => expect(server.output()).toContain(" GET /terms 200 "));
    expect(server.output()).not.toContain("forged-id");
    expect(server.output()).not.toContain(traceId);
  });

  // The last test, because it ends the server's program.
  test("writes lines as text without a terminal, its supervisor too", async () => {
    process.kill(server.serverPid(), "SIGKILL");
    await vi.waitFor(
      () => expect(server.output()).toMatch(/^[\d:.]{12} WARN {2}supervisor .*code=program_ended/m),
      10_000,
    );
    expect(server.output()).not.toContain("\u001b[");
  });
});

describe("on a terminal", () => {
  const color = "\u001b[";
  /** `script` runs the command in a terminal of its own. */
  const inTerminal = ["sh", "-c", 'exec script -qfec "$*" /dev/null', "sh"];

  test("log lines of a server are text with colors", async () => {
    const server = await startAppServer({
      databaseUrl: db.ownerUrl(),
      environment: { DEMO_DATA: "off", WORKER: "off", TERM: "xterm-256color" },
      runBy: inTerminal,
    });
    try {
      await (await fetch(`${server.origin}/terms`)).text();
      await vi.waitFor(() => expect(server.output()).toContain("/terms"));
      const line =
        server
          .output()
          .split("\n")
          .find((row) => row.includes("/terms")) ?? "";
      expect(line).toContain(color);
      const plain = stripVTControlCharacters(line).trim();
      expect(plain).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}request GET \/terms 200 \d+ ms requestId=[\w-]{12}$/);
    } finally {
      server.process.kill("SIGTERM");
      await vi.waitFor(async () => await expect(fetch(server.origin)).rejects.toThrow(), 30_000);
    }
  }, 60_000);

  test("the format is text without colors where NO_COLOR is set, and JSON where LOG_FORMAT says so", async () => {
    const [program = "", ...args] = inTerminal;
    const script = projectFile("tests/support/print-log-formats.ts");
    const command = [...args, process.execPath, "--import", "tsx", script];
    const env = { NODE_ENV: "production" as const, PATH: process.env.PATH, TERM: "xterm-256color" };
    const { stdout } = await promisify(execFile)(program, command, { env, cwd: projectFile("") });
    expect(stdout.trim().split(/\s+/)).toEqual(["color", "text", "json"]);
  }, 60_000);
});

describe("a line as text", () => {
  const line = { level: 50, time: "2026-11-20T12:00:00.000Z", msg: "request failed" };

  test("has the stack of its error below it", () => {
    const error = {
      name: "TypeError",
      message: "no such thing",
      stack: "TypeError: no such thing\n    at run (app.ts:1:1)",
    };
    expect(formatLogLine({ ...line, requestId: "r1", error }, "text")).toBe(
      "12:00:00.000 ERROR request failed requestId=r1\n    name=TypeError message=no such thing\n    TypeError: no such thing\n    at run (app.ts:1:1)\n",
    );
  });

  test("contains no control character, so that nobody forges a line or moves the cursor", () => {
    const path = "/x\n12:00:00.000 INFO forged\u001b[2J\u009b\u202e\u2028";
    for (const format of ["text", "json"] as const) {
      const text = formatLogLine({ ...line, path, error: { message: path, stack: `Error: ${path}` } }, format);
      expect(text).not.toMatch(/^12:00:00\.000 INFO/m);
      if (format === "text") expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
      else expect(text.split("\n")).toHaveLength(2);
    }
  });
});

test("a statement's text is one line of bounded length without literals that could be values", () => {
  expect(statementText(`select *\n   from mails where state = 'waiting' and address = '${email}'`)).toBe(
    "select * from mails where state = 'waiting' and address = '…'",
  );
  expect(statementText("select 'it''s @ home', 'Ab', '' from x")).toBe("select '…', '…', '' from x");
  const long = statementText(`select ${"a, ".repeat(3_000)} '${email}`);
  expect(long).toHaveLength(2_001);
  expect(statementText(`select '${email} ${"x".repeat(5_000)}'`)).toBe("select '…'");
});
