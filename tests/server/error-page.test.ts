import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { postgres } from "#db/driver.server.ts";
import { launchChromium } from "#tests/support/browser/launch-chromium.ts";
import { cookiePair } from "#tests/support/cookies.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";

let server: AppServer;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await createDatabaseCopy(inject("clusterUrl"));
  server = await startAppServer({ databaseUrl, environment: { WORKER: "off" } });
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`alter table sessions rename to sessions_lost`;
  await sql.end();
}, 180_000);

afterAll(async () => {
  await server.kill();
  await dropDatabaseCopy(databaseUrl);
});

/** Opens the landing page with a session that the server cannot look up. */
async function openBrokenPage(javaScriptEnabled: boolean) {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ javaScriptEnabled });
    const [name, value] = await cookiePair("portal_session", "x".repeat(43));
    await context.addCookies([{ name, value, url: server.origin }]);
    const page = await context.newPage();
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(error.message));
    const visit = async (response: Awaited<ReturnType<typeof page.goto>>) => {
      await page.waitForLoadState("networkidle");
      return {
        status: response?.status(),
        requestId: response?.headers()["x-request-id"],
        shown: await page.locator("code").textContent(),
      };
    };
    return { visits: [await visit(await page.goto(server.origin)), await visit(await page.reload())], failures };
  } finally {
    await browser.close();
  }
}

test.each([true, false])(
  "an error page shows its request id, also after a reload (scripting: %s)",
  async (scripting) => {
    const { visits, failures } = await openBrokenPage(scripting);
    for (const { status, requestId, shown } of visits) {
      expect(status).toBe(500);
      expect(shown).toBe(requestId);
      expect(server.output()).toContain(`"requestId":"${requestId}"`);
    }
    expect(failures).toEqual([]);
  },
  60_000,
);
