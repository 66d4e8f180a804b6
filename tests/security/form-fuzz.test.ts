import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { makeRouteVisits, moduleOf, type RouteVisits, routeTable } from "#tests/routes/route-visits.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { longestTurn } from "#tests/support/servers/longest-turn.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { anyForm, type HostileBody, worstForms } from "./hostile-bodies.ts";

/** How long one body may block the only thread, in milliseconds. */
const longestTurnMs = 100;
const runs = faultRuns({ small: 3, all: 300 });
/** The first are those that did most harm. */
const worst = faultRuns({ small: 5, all: 100 });

const db = useDatabase();
useStandIn();

let visits: RouteVisits;
beforeAll(async () => {
  visits = await makeRouteVisits(db());
});

/** Every file with an action, once; the portals' other mount has the same. A new form is among them by itself. */
const actions: { path: string; file: string }[] = [];
for (const { path, file } of routeTable) {
  const known = path.includes("/test-mode") || actions.some((other) => other.file === file);
  if (!known && typeof (await moduleOf(file)).action === "function") actions.push({ path, file });
}

/** Whoever has the form. */
function memberOf(path: string): "newcomer" | "harbor" | "northwind" {
  if (path === "/register") return "newcomer";
  return path.startsWith("/publisher/") ? "harbor" : "northwind";
}

async function expectNoServerError({ path, file }: { path: string; file: string }, body: HostileBody): Promise<void> {
  const as = memberOf(path);
  const visit = () => visits.call(file, { path, handler: "action", as, body });
  const { result, longestMs } = await longestTurn(visit);
  const description = `${path} ${body.type}: ${Buffer.from(body.bytes.subarray(0, 300)).toString()}`;
  expect(result.status, description).toBeLessThan(500);
  // A form may end the session that it is sent with.
  if (as !== "newcomer" && result.location) visits.cookies.set(as, await visits.world.cookieOf(as));
  if (longestMs < longestTurnMs) return;
  // What was compiled or collected meanwhile happens once.
  expect((await longestTurn(visit)).longestMs, description).toBeLessThan(longestTurnMs);
}

describe("any posted form", () => {
  test("control: conform builds a list of 25,000 for what the gate rejects", async () => {
    const fields = new FormData();
    fields.set("name[25000]", "1");
    const parse = async () => parseWithZod(fields, { schema: z.object({ name: z.array(z.string()) }) }).reply();
    expect((await longestTurn(parse)).longestMs).toBeGreaterThan(longestTurnMs);
  });

  test("all forms are listed here", () => {
    expect(actions.length).toBeGreaterThan(50);
  });

  test.each(actions)(
    "$path responds without a 500, and blocks no other request",
    async (action) => {
      for (const body of worstForms().slice(0, worst)) await expectNoServerError(action, body);
      await fc.assert(
        fc.asyncProperty(anyForm, (body) => expectNoServerError(action, body)),
        { numRuns: runs },
      );
      await waitForBackgroundTasks();
    },
    faultTimeoutMs,
  );
});
