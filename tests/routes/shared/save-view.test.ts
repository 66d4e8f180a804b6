import { expect, it } from "vitest";
import { z } from "zod";
import { listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import * as save from "#app/screens/shared/views/save/route.tsx";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

it("filters that are too long to be saved are shown and rejected, and not left out", async () => {
  const filters = new URLSearchParams({ q: "é".repeat(200), status: "paused" }).toString();
  const path = `/advertiser/views?${new URLSearchParams({ list: "campaigns", query: filters })}`;
  const { body } = await visit(world(), "northwind", save.loader, path);
  const { query, facts } = z
    .object({ query: z.string(), facts: z.array(z.object({ label: z.string(), value: z.string() })) })
    .parse(body);
  expect(facts).toContainEqual({ label: "Status", value: "Paused" });
  const form = { list: "campaigns", query, name: "Paused ones" };
  expect(await visit(world(), "northwind", save.action, "/advertiser/views", { form })).toMatchObject({
    status: 422,
    body: { error: { name: ["This list has too many filters to be saved as a view"] } },
  });
  const views = await listSavedViews(world().northwind, { userId: demoUserId("northwind"), list: "campaigns" });
  expect(views).toEqual([]);
});
