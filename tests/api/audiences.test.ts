import { and, eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { newId, type SubscriptionId } from "#app/domain/ids.ts";
import * as multipart from "#app/web/multipart.server.ts";
import { auditEntries, subscriptions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { launched, member, origin, readyAudience, send } from "./api.ts";

const db = useDatabase();

test("a publisher creates, reads, changes and archives an audience; only name and segment are required", async () => {
  const { api, byKey } = await member("publisher");
  const missing = await api("POST /api/audiences", { body: JSON.parse("{}") });
  expect([missing.status, missing.error?.fields]).toEqual([
    422,
    { name: ["Enter an audience name"], segment: ["Choose a segment"] },
  ]);
  const created = await byKey("POST /api/audiences", { body: { name: "Anglers", segment: "new-customers" } });
  expect([created.status, created.body.audience]).toMatchObject([
    201,
    {
      name: "Anglers",
      description: null,
      segment: "new-customers",
      estimated_size: null,
      size: 0,
      cpm_rate: 5,
      status: "building",
      data_source: "file",
      refresh_frequency: "weekly",
      version: 0,
      refreshed_at: null,
    },
  ]);
  const params = { id: created.body.audience.id };
  const changed = await api("PATCH /api/audiences/{id}", { params, body: { estimated_size: 9_000, cpm_rate: 7.25 } });
  expect(changed.body.audience).toMatchObject({ name: "Anglers", estimated_size: 9_000, size: 0, cpm_rate: 7.25 });
  expect((await api("GET /api/audiences/{id}", { params })).body.audience).toEqual(changed.body.audience);
  const archived = await api("POST /api/audiences/{id}/archive", { params });
  expect(archived.body).toMatchObject({ success: true, audience: { status: "archived" } });
  const late = await api("PATCH /api/audiences/{id}", { params, body: { name: "Back" } });
  expect([late.status, late.error?.code]).toEqual([409, "invalid_transition"]);
  const listed = async (status?: "archived") =>
    (await api("GET /api/audiences", { query: { status } })).body.audiences.map((row) => row.id);
  expect([await listed(), await listed("archived")]).toEqual([[], [params.id]]);
});

test("an advertiser reads a ready audience with its true size rounded down, never the entered estimate", async () => {
  const publisher = await member("publisher");
  const advertiser = await member("advertiser");
  const params = { id: await readyAudience(publisher.accountId, "Rounded") };
  await publisher.api("PATCH /api/audiences/{id}", { params, body: { estimated_size: 999_999 } });
  const { body } = await advertiser.byKey("GET /api/audiences/{id}", { params });
  expect(Object.keys(body.audience).sort()).toEqual(
    ["cpm_rate", "description", "estimated_size", "id", "name", "publisher_name", "segment", "status"].sort(),
  );
  expect(body.audience).toMatchObject({ name: "Rounded", estimated_size: 10_000, cpm_rate: 4.5, status: "ready" });
  const { text } = await advertiser.api("GET /api/audiences", { query: { q: "Rounded" } });
  expect(text).not.toMatch(/999999|12345/);

  const building = await publisher.api("POST /api/audiences", { body: { name: "B", segment: "high-value" } });
  const hidden = await advertiser.api("GET /api/audiences/{id}", { params: { id: building.body.audience.id } });
  expect([hidden.status, hidden.error?.code]).toEqual([404, "not_found"]);
});

test("a direct integration requires the enterprise plan, and an audience in use cannot be archived", async () => {
  const publisher = await member("publisher");
  const body = { name: "CRM", segment: "high-value", data_source: "salesforce" } as const;
  const rejected = await publisher.api("POST /api/audiences", { body });
  expect([rejected.status, rejected.error?.code, rejected.error?.message]).toEqual([
    409,
    "limit_reached",
    "Direct integration requires an enterprise plan",
  ]);
  const campaign = await launched(await member("advertiser"), publisher);
  await publisher.api("POST /api/campaigns/{id}/approve", { params: { id: campaign }, body: { action: "approve" } });
  const { body: own } = await publisher.api("GET /api/audiences", {});
  const id = own.audiences[0]?.id ?? "";
  const kept = await publisher.api("POST /api/audiences/{id}/archive", { params: { id } });
  expect([kept.status, kept.error?.code]).toEqual([409, "invalid_transition"]);
});

test("the same idempotency key creates one audience", async () => {
  const { api } = await member("publisher");
  const request = {
    body: { name: "Once", segment: "high-value" as const },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  };
  const [one, other] = [await api("POST /api/audiences", request), await api("POST /api/audiences", request)];
  expect(other.body).toEqual(one.body);
  expect((await api("GET /api/audiences", {})).body.audiences).toHaveLength(1);
});

test("Segment's events arrive singly or as a list, with a key only, and unknown ones cause no 500", async () => {
  const { api, byKey, accountId } = await member("publisher");
  const subscription = { id: newId<SubscriptionId>(), accountId, planType: "enterprise", status: "active" } as const;
  await db().insert(subscriptions).values(subscription);
  const created = await api("POST /api/audiences", {
    body: { name: "Buyers", segment: "high-value", data_source: "segment" },
  });
  const { headers } = byKey;
  const post = async (body: unknown, query = "") => {
    const path = `/api/audiences/${created.body.audience.id}/segment${query}`;
    const response = await send(
      new Request(origin + path, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    return [response.status, await response.json()];
  };
  const event = (email: unknown) => ({ type: "identify", traits: { email, vip: true } });
  const counts = { added: 0, duplicate: 0, removed: 0, absent: 0, invalid: 0, opted_out: 0, ignored: 0 };
  expect(await post(event("a@example.com"))).toEqual([200, { ingested: { ...counts, ignored: 1 }, size: 0 }]);
  expect(await post(event("a@example.com"), "?key=vip")).toEqual([200, { ingested: { ...counts, added: 1 }, size: 1 }]);
  expect(await post([event("b@example.com"), event("x"), event(7)], "?key=vip")).toEqual([
    200,
    { ingested: { ...counts, added: 1, invalid: 1, ignored: 1 }, size: 2 },
  ]);
  for (const strange of [
    [],
    {},
    [1],
    [null],
    { events: [] },
    { type: 5 },
    Array.from({ length: 4_001 }, () => event("c")),
  ]) {
    expect(await post(strange)).toMatchObject([422, { error: { code: "invalid_input" } }]);
  }
  expect((await post("text"))[0]).toBe(400);
  expect(await post(JSON.parse('{"type":"track","__proto__":{"x":1},"properties":{"__proto__":true}}'))).toMatchObject([
    200,
    {},
  ]);
});

test("an upload leaves out who opted out unless it confirms that they may be used, and states consent", async () => {
  const { byKey, api } = await member("publisher");
  const { body } = await api("POST /api/audiences", { body: { name: "Readers", segment: "high-value" } });
  const { id } = body.audience;
  const post = async (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set("file", new File(["Email,Unsubscribed\na@example.com,0\nb@example.com,1"], "people.csv"));
    const request = new Request(`${origin}/api/audiences/${id}/uploads`, {
      method: "POST",
      headers: byKey.headers,
      body: form,
    });
    const response = await send(request);
    const sent = await response.json();
    await waitForBackgroundTasks();
    if (response.status !== 202) return [response.status, Object.keys(sent.error.fields)];
    const { upload } = (await api("GET /api/uploads/{id}", { params: { id: sent.upload.id } })).body;
    return [upload.rows_opted_out, upload.size];
  };
  expect(await post({})).toEqual([1, 1]);
  expect(await post({ include_opt_outs: "yes" })).toEqual([422, ["include_opt_outs"]]);
  expect(await post({ ad_user_data_consent: "yes" })).toEqual([422, ["ad_user_data_consent"]]);
  expect(await post({ include_opt_outs: "true", ad_user_data_consent: "granted" })).toEqual([0, 2]);
  const recorded = await db()
    .select({ after: auditEntries.after })
    .from(auditEntries)
    .where(and(eq(auditEntries.entityId, id), eq(auditEntries.action, "audience.opt_outs_included")));
  expect(recorded).toEqual([{ after: { upload_id: expect.any(String), include_opt_outs: true } }]);
  expect((await api("GET /api/audiences/{id}", { params: { id } })).body.audience).toMatchObject({
    ad_user_data_consent: "granted",
    ad_personalization_consent: "unspecified",
    consent_stated_at: expect.any(String),
  });
});

test("an upload whose fields follow its files is read as they say, once with its key", async () => {
  const { byKey, api } = await member("publisher");
  const { body } = await api("POST /api/audiences", { body: { name: "Files first", segment: "high-value" } });
  const { id } = body.audience;
  const key = crypto.randomUUID();
  const post = async (mode: string, headers: Record<string, string> = {}) => {
    const form = new FormData();
    form.append("file", new File(["Email\na@example.com\nb@example.com"], "a.csv"));
    form.append("file", new File(["Email,Unsubscribed\nc@example.com,1"], "c.csv"));
    form.append("mode", mode);
    form.append("include_opt_outs", "true");
    const init = { method: "POST", headers: { ...byKey.headers, ...headers }, body: form };
    const response = await send(new Request(`${origin}/api/audiences/${id}/uploads`, init));
    const sent = await response.json();
    await waitForBackgroundTasks();
    if (response.status !== 202) return [response.status, sent.error.code];
    const { upload } = (await api("GET /api/uploads/{id}", { params: { id: sent.upload.id } })).body;
    return [upload.mode, upload.status, upload.people_added, upload.people_removed, upload.size];
  };
  const added = ["add", "succeeded", 3, 0, 3];
  expect(await post("add", { "Idempotency-Key": key })).toEqual(added);
  expect(await post("add", { "Idempotency-Key": key })).toEqual(added);
  expect(await post("remove", { "Idempotency-Key": key })).toEqual([422, "idempotency_conflict"]);
  expect(await post("merge")).toEqual([422, "invalid_input"]);
  expect(await post("remove")).toEqual(["remove", "succeeded", 0, 3, 0]);
});

test("a person whose fields are wrong is named by its index, and no more than twenty are", async () => {
  const { api } = await member("publisher");
  const { id } = (await api("POST /api/audiences", { body: { name: "A", segment: "high-value" } })).body.audience;
  const long = { email: "x".repeat(401) };
  const body = { add: [{ email: "a@example.com" }, long], remove: Array.from({ length: 30 }, () => long) };
  const { status, error } = await api("POST /api/audiences/{id}/members", { params: { id }, body });
  expect([status, error?.fields?.add]).toEqual([422, ["Use at most 400 characters (index 1)"]]);
  expect(error?.fields?.remove).toHaveLength(20);
  expect(error?.fields?.remove?.at(-1)).toBe("Use at most 400 characters (index 19)");
});

test("an erasure says which identifiers it could not read", async () => {
  const { api } = await member("publisher");
  const created = await api("POST /api/audiences", { body: { name: "Rowers", segment: "new-customers" } });
  const add = [{ email: "ann@example.com" }, { phone: "+4930123456" }];
  await api("POST /api/audiences/{id}/members", { params: { id: created.body.audience.id }, body: { add } });
  const identifiers = ["ann@example.com", "030 123456", "bob@example.com", "d41d8cd98f00b204e9800998ecf8427e"];
  const erased = await api("POST /api/erasures", { body: { identifiers } });
  expect(erased.body).toEqual({ erased: 1, unreadable: [1, 3] });
});

test("an upload's mapping names its columns, and the report has what they were read as", async () => {
  const { byKey, api } = await member("publisher");
  const { body } = await api("POST /api/audiences", { body: { name: "Mapped", segment: "high-value" } });
  const post = async (mapping: string, file = "Kontakt,Nummer\na@example.com,030 901820") => {
    const form = new FormData();
    form.set("mapping", mapping);
    form.set("file", new File([file], "people.csv"));
    const url = `${origin}/api/audiences/${body.audience.id}/uploads`;
    const response = await send(new Request(url, { method: "POST", headers: byKey.headers, body: form }));
    const sent = await response.json();
    await waitForBackgroundTasks();
    if (response.status !== 202) return [response.status, sent.error.fields];
    return (await api("GET /api/uploads/{id}", { params: { id: sent.upload.id } })).body.upload;
  };
  expect(await post("Kontakt=email")).toMatchObject([422, { mapping: [expect.stringContaining("Send JSON")] }]);
  const mapping = JSON.stringify({ columns: { Kontakt: "email", Nummer: "phone" }, phone_country: "DE" });
  expect(await post(mapping)).toMatchObject({
    status: "succeeded",
    size: 1,
    files: [
      {
        columns: [
          { name: "Kontakt", use: "email", detected: "ignored", samples: ["a***@e***"] },
          { name: "Nummer", use: "phone", detected: "ignored", samples: ["03***"] },
        ],
      },
    ],
  });
  // A mapping counts for its upload only.
  expect(await post("")).toMatchObject({ status: "failed", files: [{ columns: [{ use: "ignored" }, {}] }] });
});

test("an upload that is refused for too large a file is refused again with its key", async () => {
  const { byKey, api } = await member("publisher");
  const { body } = await api("POST /api/audiences", { body: { name: "Refused", segment: "high-value" } });
  const key = crypto.randomUUID();
  const limits = { fileBytes: 100_000, files: 1, fields: 10 };
  const { openMultipart } = multipart;
  const limited = vi
    .spyOn(multipart, "openMultipart")
    .mockImplementation((request, options) => openMultipart(request, { ...options, limits }));
  onTestFinished(() => limited.mockRestore());
  const post = async (lines: number) => {
    const form = new FormData();
    form.set("file", new File(["Email", "\nx".repeat(lines)], "people.csv"));
    const headers = { ...byKey.headers, "Idempotency-Key": key };
    const url = `${origin}/api/audiences/${body.audience.id}/uploads`;
    const response = await send(new Request(url, { method: "POST", headers, body: form }));
    return [response.status, await response.json()];
  };
  const first = await post(60_000);
  expect(first).toMatchObject([413, { error: { code: "too_large" } }]);
  expect(await post(60_000)).toEqual(first);
  expect(await post(1)).toMatchObject([422, { error: { code: "idempotency_conflict" } }]);
});
