import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { desc } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import type { ActivityFilter } from "#app/domain/audit/activity.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-products.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type CampaignId, newId } from "#app/domain/ids.ts";
import { activityVerb } from "#app/screens/shared/activity/activity-copy.ts";
import { formatActivityLine, toActivityLines } from "#app/screens/shared/activity/activity-lines.ts";
import { describeEvent } from "#app/screens/shared/activity/audit-copy.ts";
import { auditEntries, notifications } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let id: CampaignId;
beforeAll(async () => {
  world = await createWorld(db());
  id = await world.aLaunchedCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  await reviewCampaign(world.harbor, { id, action: "reject", notes: "=Harbor's words" });
  await reviewCampaign(world.fern, { id, action: "approve" });
  const gone = await world.aDraft({ name: "Never sent" });
  await deleteDraft(world.northwind, { id: gone });
  const product = productSchema.parse({ name: "Kettle", sku: "K-77", category: "Kitchen", price: 49.9 });
  const { id: productId } = await createProduct(world.northwind, product);
  await deleteProduct(world.northwind, { id: productId });
  const { key } = await createApiKey(world.northwind, { name: "Nightly" });
  const byKey = { ...world.northwind, actor: { ...world.northwind.actor, userId: undefined, apiKeyId: key.id } };
  await createProduct(byKey, { ...product, sku: "K-78" });
  const operator = { ...world.job, actor: { kind: "operator", name: "root@host" }, entrypoint: "command" } as const;
  const accountId = world.accountId("northwind");
  const limit = { action: "account.credit_limit_set", entity: "account" as const, entityId: accountId, accountId };
  await recordAudit(operator, { ...limit, after: { credit_limit: 5 } });
});

async function lines(ctx: Ctx<TenantActor>, filter: ActivityFilter = {}) {
  return toActivityLines((await listActivity(ctx, filter)).rows, ctx.actor);
}
const sentences = async (ctx: Ctx<TenantActor>, filter?: ActivityFilter) =>
  (await lines(ctx, filter)).map(formatActivityLine);

test("says who did what to which object, with a link while it exists", async () => {
  expect(await sentences(world.northwind)).toEqual([
    "Endcap set the credit limit",
    "API key “Nightly” added the product “Kettle”",
    "You created the API key “Nightly”",
    "You deleted the product “Kettle”",
    "You added the product “Kettle”",
    "You deleted “Never sent”",
    "You created “Never sent”",
    "Fern & Field Market approved “Ridgeline Packs”",
    "Harbor Goods rejected “Ridgeline Packs”",
    "You launched “Ridgeline Packs”",
    "You created “Ridgeline Packs”",
  ]);
  const all = await lines(world.northwind);
  expect(all.map(({ path }) => Boolean(path))).toEqual([
    ...[false, true, true, false, false],
    ...[false, false, true, true, true, true],
  ]);
  expect(all[7]?.path).toBe(`/campaigns/${id}`);
  expect(all[8]?.notes).toBe("=Harbor's words");
  expect(JSON.stringify(all)).not.toContain("root@host");
});

test("names a deleted draft without a name as lists do", async () => {
  const draft = await world.aDraft({ name: "" }, { by: world.brightside });
  await deleteDraft(world.brightside, { id: draft });
  expect((await sentences(world.brightside))[0]).toBe("You deleted “Untitled Campaign”");
});

describe("an account sees its own trail", () => {
  test("and none of another's", async () => {
    expect(await sentences(world.fern)).toEqual([
      "You approved “Ridgeline Packs”",
      "Northwind Outdoors sent “Ridgeline Packs” for review",
    ]);
    expect((await lines(world.fern)).map(({ path }) => path)).toEqual([`/campaigns/${id}`, `/approval/${id}`]);
    expect(JSON.stringify(await listActivity(world.fern, {}))).not.toContain("Harbor");
    expect((await sentences(world.brightside)).join()).not.toContain("Ridgeline");
    const colleague = { ...world.northwind, actor: { ...world.northwind.actor, userId: demoUserId("brightside") } };
    expect((await sentences(colleague))[2]).not.toMatch(/^You/);
  });

  test("page by page, each entry once, though it comes from two indexes", async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await listActivity(world.northwind, { limit: 2, cursor: cursor ?? undefined });
      expect(page.rows.length).toBeLessThanOrEqual(2);
      seen.push(...page.rows.map((row) => row.id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual((await listActivity(world.northwind, {})).rows.map((row) => row.id));
    expect(seen).toHaveLength(11);
  });
});

test("is filtered by type, person, day and text", async () => {
  const count = async (filter: ActivityFilter) => (await lines(world.northwind, filter)).length;
  const today = world.today();
  expect(await count({ kind: "products" })).toBe(3);
  expect(await count({ kind: "campaigns" })).toBe(6);
  expect(await count({ kind: "account" })).toBe(2);
  expect(await count({ kind: "money" })).toBe(0);
  expect(await count({ who: "keys" })).toBe(1);
  expect(await count({ who: "others" })).toBe(2);
  expect(await count({ who: "endcap" })).toBe(1);
  expect(await count({ who: demoUserId("northwind") })).toBe(7);
  expect(await count({ who: demoUserId("harbor") })).toBe(1);
  expect(await count({ from: today, to: today })).toBe(11);
  expect(await count({ from: addDays(today, 1) })).toBe(0);
  expect(await count({ to: addDays(today, -1) })).toBe(0);
  expect(await count({ q: "harbor's WORDS" })).toBe(1);
  expect(await count({ q: "K-77" })).toBe(2);
  expect(await count({ q: "%" })).toBe(0);
});

test("a tenant's entry about no campaign is about its own account", async () => {
  await recordAudit(world.harbor, { action: "erasure.done", entity: "account", entityId: newId() });
  const [newest] = (await listActivity(world.harbor, {})).rows;
  expect(newest?.action).toBe("erasure.done");
  expect(await db().$count(auditEntries)).toBeGreaterThan(10);
});

test("every action of the code has a text", () => {
  const root = join(import.meta.dirname, "../../../app/domain");
  const code = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".server.ts"))
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const actions = [...new Set(code.match(/"(?:[a-z_]+)\.[a-z_]+"(?=[,;\s)])/g))]
    .map((text) => text.slice(1, -1))
    .filter((action) =>
      /^(account|user|api_key|webhook|audience|erasure|connection|products?|store|creative|payment_method|top_up|payout|payout_account|subscription|invoice|campaign|line_item)\./.test(
        action,
      ),
    );
  expect(actions.length).toBeGreaterThan(40);
  // A column of a query, not an action.
  const columns = ["campaign.name"];
  const jobEntry = {
    actorKind: "job",
    actorAccountId: null,
    actorName: "",
    entrypoint: "job",
    before: null,
    after: null,
  };
  const wordless = actions.filter((action) => {
    if (columns.includes(action)) return false;
    const { verb } = describeEvent({ ...jobEntry, action }, "");
    return verb === action.replaceAll(/[._]/g, " ") && activityVerb(action) === verb;
  });
  expect(wordless).toEqual([]);
});

describe("an event without a person", () => {
  const byJob = { actorKind: "job", actorAccountId: null, actorName: "", entrypoint: "job", before: null };
  const line = (action: string, after: Record<string, unknown> | null = null, actorKind = "job") => {
    const { verb, rest = "", withoutActor } = describeEvent({ ...byJob, actorKind, action, after }, "");
    return withoutActor ? verb : `Endcap ${verb}${rest}`;
  };

  test("has a text of its own, with its amount", () => {
    expect(line("account.funds_held")).toBe("Campaigns on hold: insufficient funds");
    expect(line("top_up.succeeded", { amount: 60.5 })).toBe("Top-up of $60.50 succeeded");
    expect(line("subscription.payment_taken_back", { amount: 99 })).toBe("Plan payment of $99.00 reversed");
    expect(line("payout.paid", { amount: 1_234 })).toBe("Payout of $1,234.00 paid");
    expect(line("top_up.failed")).toBe("Top-up failed");
  });

  test("names the invoice that was paid", () => {
    const after = { amount: 60.5, invoice: "INV-000001" };
    expect(line("top_up.succeeded", after)).toBe("Payment of $60.50 for INV-000001 succeeded");
    expect(line("top_up.canceled", after)).toBe("Payment for INV-000001 expired");
    expect(line("top_up.started", after)).toBe("Endcap started a payment of $60.50 for INV-000001");
  });

  test("differs from the same event on a person's request", () => {
    expect(line("payout.started", { amount: 50 })).toBe("Payout of $50.00 initiated");
    expect(line("payout.started", { amount: 50 }, "user")).toBe("Endcap requested a payout of $50.00");
  });

  test("has no actor in the list", async () => {
    await recordAudit(world.job, {
      action: "payment_method.updated",
      entity: "payment_method",
      entityId: newId(),
      accountId: world.accountId("harbor"),
    });
    expect((await sentences(world.harbor))[0]).toBe("Payment method updated");
  });
});

test("a publisher goes on reading the last name of a campaign whose advertiser cleared it", async () => {
  const cleared = await world.aLaunchedCampaign({ audiences: ["organicPantry"], changes: { name: "Pantry" } });
  await updateCampaign(world.northwind, { id: cleared, changes: { name: null } });
  await reviewCampaign(world.fern, { id: cleared, action: "reject" });
  expect((await sentences(world.fern)).slice(0, 2)).toEqual([
    "You rejected “Pantry”",
    "Northwind Outdoors sent “Pantry” for review",
  ]);
  expect(await sentences(world.fern, { q: "pantr" })).toHaveLength(2);
  const newest = desc(notifications.id);
  const told = await db().select({ facts: notifications.facts }).from(notifications).orderBy(newest).limit(1);
  expect(told).toMatchObject([{ facts: { campaign: "Pantry" } }]);
});
