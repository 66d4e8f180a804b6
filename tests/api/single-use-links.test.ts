import { afterAll, beforeAll, expect, test } from "vitest";
import { idempotencyKeys } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { connectVariables, type FakeStripe, startStripe } from "#tests/support/fakes/fake-stripe.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { member } from "./api.ts";

const db = useDatabase();
let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startStripe();
});
useEnvironment(() => connectVariables(stripe));
afterAll(() => stripe.stop());

test("a link to Stripe's page is not stored, and the same key gets another one that can still be opened", async () => {
  const { api } = await member("publisher");
  const open = () => api("POST /api/billing/payout-account/page", { headers: { "Idempotency-Key": "one-link" } });
  const responses = [await open(), await open()];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(responses.map(({ body }) => body.url)).toEqual(stripe.all("account_link").map(({ url }) => url));
  expect(responses.map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([null, null]);
  expect(new Set(responses.map(({ body }) => body.url)).size).toBe(2);
  expect(await db().$count(idempotencyKeys)).toBe(0);
});
